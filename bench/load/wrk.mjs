import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('wrk.lua', import.meta.url));

export const wrk = {
  name: 'wrk',
  command: ({ address, connections, seconds, method, key, pathsFile, body }) => [
    ...`wrk --threads 1 --connections ${connections} --duration ${seconds}s --timeout 10s --script`.split(' '),
    SCRIPT,
    address,
    '--',
    method,
    key,
    pathsFile,
    ...(body === undefined ? [] : [body]),
  ],
};
