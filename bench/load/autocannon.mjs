import { fileURLToPath } from 'node:url';

const PROCESS = fileURLToPath(new URL('autocannon-process.mjs', import.meta.url));

export const autocannon = {
  name: 'autocannon',
  command: (load) => [process.execPath, PROCESS, JSON.stringify(load)],
};
