import { register } from 'node:module';

/** Lets Node run the TypeScript of this repository: `node --import ./test/process/errors-leak/typescript.js`. */
register('./typescript-hooks.js', import.meta.url);
