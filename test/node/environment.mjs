import { execFile } from 'node:child_process';
import { delimiter } from 'node:path';
import { promisify } from 'node:util';

/** What makes every program that is called by name, and each package that npm compiles, use this release. */
export function environmentOf({ programs, headers }) {
  return {
    ...process.env,
    PATH: programs + delimiter + process.env.PATH,
    // Otherwise node-gyp downloads the headers, or uses those that the user's npmrc names.
    npm_config_nodedir: headers,
  };
}

/** The programs that tests call by name and that run on another release all the same. */
export async function otherPrograms(version, options) {
  const run = promisify(execFile);
  const node = await run('node', ['--version'], options);
  const npm = await run('npm', ['version', '--json'], options);
  const found = { node: node.stdout.trim().slice(1), npm: JSON.parse(npm.stdout).node };
  return Object.entries(found).flatMap(([name, other]) => (other === version ? [] : [`${name} runs on ${other}`]));
}
