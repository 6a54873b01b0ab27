import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { readArguments } from './tools/read-arguments.mjs';

readArguments(`Usage: npm run start:dev -- [--help]

Starts the service, and restarts it after each compilation and each change of openapi.yaml.

  --help  print this help
`);

const compiler = spawn(
  process.execPath,
  ['node_modules/typescript/bin/tsc', '-b', 'tsconfig.build.json', '--watch', '--preserveWatchOutput'],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
let service;
let hasCompiled = false;
let isRestarting = false;

function start() {
  isRestarting = false;
  service = spawn(process.execPath, ['dist/src/main.js'], { stdio: 'inherit' }).once('exit', () => {
    service = undefined;
    if (isRestarting) start();
  });
}

function restart() {
  if (!service) return start();
  isRestarting = true;
  service.kill();
}

compiler.stdout.setEncoding('utf8').on('data', (text) => {
  process.stdout.write(text);
  if (!text.includes('Found 0 errors.')) return;
  hasCompiled = true;
  restart();
});
// The folder, because many editors replace a file instead of writing to it.
// Also after a contract that the service refused, when no service runs.
watch('.', (_, file) => file === 'openapi.yaml' && hasCompiled && restart()).unref();

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    isRestarting = false;
    compiler.kill();
    service?.kill();
  });
}
