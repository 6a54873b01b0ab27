import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { refuseArgument } from '../../tools/read-arguments.mjs';
import { outputOf } from '../machine/processes.mjs';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

const ENTRY = at('../../dist/main.js');

/** The command of `npm run start:prod` of that build, including its flags, without npm. */
const service = (entry) => {
  const { scripts } = JSON.parse(readFileSync(join(dirname(entry), '../package.json'), 'utf8'));
  const words = scripts['start:prod'].split(' ');
  const args = words.slice(words.indexOf('node') + 1);
  return [process.execPath, ...args.slice(0, -1), entry];
};

const peer = (name, path) => ({
  name,
  command: [process.execPath, at(path)],
  hasOwnSchema: false,
  engines: ['sqlite'],
});
const compiledPeer = (name, path) => ({ ...peer(name, path), isCompiled: true });

/** In the order of the table. Ratios are relative to the first peer of each engine. */
const PEERS = [
  peer('bare', '../peers/bare.mjs'),
  { ...peer('bare-worker', '../peers/bare-worker.mjs'), isOnRequest: true },
  { ...peer('bare-postgres', '../peers/bare-postgres.mjs'), engines: ['postgres'] },
  peer('fastify', '../peers/fastify.mjs'),
  peer('express-openapi', '../peers/express-openapi.mjs'),
  compiledPeer('tutorial-nest', '../dist/peers/tutorial-nest/on-express.js'),
  compiledPeer('tutorial-nest-fastify', '../dist/peers/tutorial-nest/on-fastify.js'),
  { name: 'ours', command: service(ENTRY), hasOwnSchema: true, engines: ['sqlite', 'postgres'] },
];

const peersOn = (engine) => PEERS.filter(({ engines }) => engines.includes(engine));

export const namesOn = (engine) => peersOn(engine).map(({ name }) => name);

/** What is measured unless peers are chosen. */
export const usualNamesOn = (engine) =>
  peersOn(engine)
    .filter(({ isOnRequest }) => !isOnRequest)
    .map(({ name }) => name);

/** Every server needs its own. */
const SET_BY_BENCH = new Set(['DATABASE_URL', 'API_KEYS', 'HOST', 'PORT']);

/** `NAME=VARIABLE=VALUE`: the service with another environment, to compare in the same run. */
export function variant(text) {
  const [, name, variable, value] = /^([\w.-]+)=([A-Z][A-Z\d_]*)=(.*)$/.exec(text) ?? [];
  if (name === undefined) refuseArgument(`--variant must be NAME=VARIABLE=VALUE, not "${text}".`);
  if (SET_BY_BENCH.has(variable)) {
    refuseArgument(`--variant cannot change ${variable}, which the benchmark sets; choose another variable.`);
  }
  return { ...buildOf(name, ENTRY), settings: { [variable]: value } };
}

/** `NAME=FILE`: another version of the service, to compare in the same run. */
export function otherBuild(text) {
  const [, name, file] = /^([\w.-]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined) refuseArgument(`--against must be NAME=FILE, not "${text}".`);
  if (!isBuild(file)) {
    refuseArgument(`--against must name the dist/main.js of a checkout that is built, not "${file}".`);
  }
  return buildOf(name, resolve(file));
}

/** Whether there is such a file, and its checkout says how to start it. */
function isBuild(file) {
  try {
    return statSync(file).isFile() && service(resolve(file)).length > 0;
  } catch {
    return false;
  }
}

/** A build of the service, which creates its schema itself. */
export const buildOf = (name, entry) => ({ name, command: service(entry), hasOwnSchema: true });

export function choosePeers(names, engine) {
  const known = namesOn(engine);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    refuseArgument(
      `Unknown peers on ${engine}: ${unknown.map((name) => name || '""').join(', ')}; choose from ${known.join(', ')}.`,
    );
  }
  return PEERS.filter(({ name }) => names.includes(name));
}

/** Compiles the peers in TypeScript. Throws when the service is not built. */
export async function preparePeers(peers) {
  if (peers.some(({ hasOwnSchema }) => hasOwnSchema) && !existsSync(ENTRY)) {
    throw new Error('The service is not built: run "npm run build" first, or exclude it with --peers.');
  }
  if (peers.some(({ isCompiled }) => isCompiled)) {
    const compiler = at('../../node_modules/typescript/bin/tsc');
    await outputOf([process.execPath, compiler, '-p', at('../tsconfig.json')], { milliseconds: 120_000 });
  }
}
