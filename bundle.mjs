// Makes one file of the service: `node bundle.mjs [dist]`. Node reads one file in a third of the time of three thousand,
// and half of a start is reading: docs/performance.md.
import { join } from 'node:path';
import { build } from 'esbuild';

const dist = process.argv[2] ?? 'dist';

/** @nestjs/typeorm asks at start for two classes that TypeORM 1 no longer has, and loads all of TypeORM a second time. */
const withoutSecondTypeorm = {
  name: 'without-second-typeorm',
  setup: ({ onLoad }) =>
    onLoad({ filter: /@nestjs[\\/]typeorm[\\/].*typeorm-compat\.js$/ }, () => ({
      contents: 'export const Connection = undefined; export const AbstractRepository = undefined;',
    })),
};

await build({
  entryPoints: [join(dist, 'src/main.js')],
  outfile: join(dist, 'main.js'),
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  // Errors, log lines and Nest go by the names of classes.
  keepNames: true,
  external: [
    // A native module, and files that are served as they are.
    'better-sqlite3',
    'swagger-ui-dist',
    // Packages that Nest looks for and does without.
    '@fastify/static',
    '@nestjs/microservices',
    '@nestjs/platform-fastify',
    '@nestjs/platform-socket.io',
    '@nestjs/websockets',
  ],
  plugins: [withoutSecondTypeorm],
  // CommonJS packages ask for Node's own modules by `require`.
  banner: { js: `import { createRequire as requireFrom } from 'node:module';\nconst require = requireFrom(import.meta.url);` },
  // The drivers of other databases, which TypeORM asks for only when they are configured.
  logLevel: 'error',
});
