import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { outputOf } from './processes.mjs';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));

const ENTRY = at('../dist/main.js');
const { scripts } = JSON.parse(readFileSync(at('../package.json'), 'utf8'));

/** What `npm run start:prod` starts, flags included, without npm in between. */
const service = (entry) => {
  const [, ...args] = scripts['start:prod'].split(' ');
  return [process.execPath, ...args.slice(0, -1), entry];
};

const peer = (name, path) => ({ name, command: [process.execPath, at(path)], hasOwnSchema: false });
const compiledPeer = (name, path) => ({ ...peer(name, path), isCompiled: true });

/** In the order of the table. The first is what the others are compared with. */
export const PEERS = [
  peer('bare', 'peers/bare.mjs'),
  peer('fastify', 'peers/fastify.mjs'),
  peer('express-openapi', 'peers/express-openapi.mjs'),
  compiledPeer('tutorial-nest', 'dist/peers/tutorial-nest/on-express.js'),
  compiledPeer('tutorial-nest-fastify', 'dist/peers/tutorial-nest/on-fastify.js'),
  { name: 'ours', command: service(ENTRY), hasOwnSchema: true },
];

/** `NAME=FILE`: the service as it was, or as it may become, in the same run as it is. */
export function otherBuild(text) {
  const [, name, file] = /^([\w.-]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || !existsSync(file)) throw new Error(`--against must be NAME=FILE, not "${text}".`);
  return { name, command: service(resolve(file)), hasOwnSchema: true };
}

export function choosePeers(names) {
  const unknown = names.filter((name) => !PEERS.some((known) => known.name === name));
  if (unknown.length > 0) {
    throw new Error(`No such peer: ${unknown.join(', ')}. Peers: ${PEERS.map(({ name }) => name).join(', ')}`);
  }
  return PEERS.filter(({ name }) => names.includes(name));
}

/** Compiles what is written in TypeScript, and refuses to measure a service that was not built. */
export async function preparePeers(peers) {
  if (peers.some(({ hasOwnSchema }) => hasOwnSchema) && !existsSync(ENTRY)) {
    throw new Error('The service is not built: run "npm run build" first, or leave it out with --peers.');
  }
  if (peers.some(({ isCompiled }) => isCompiled)) {
    const compiler = at('../node_modules/typescript/bin/tsc');
    await outputOf([process.execPath, compiler, '-p', at('tsconfig.json')], { milliseconds: 120_000 });
  }
}
