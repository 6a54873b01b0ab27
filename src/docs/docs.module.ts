import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Module } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import helmet from 'helmet';
import { DocsController } from './docs.controller.js';

@Module({ controllers: [DocsController] })
export class DocsModule {}

/** What the pages need besides their routes: strict headers, and Swagger UI's own files. */
export function serveDocs(app: NestExpressApplication): void {
  app.use('/docs', helmet({ contentSecurityPolicy: { directives: POLICY }, strictTransportSecurity: false }));
  app.useStaticAssets(dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json'))), {
    prefix: '/docs',
    index: false,
    redirect: false,
  });
}

/** Everything from this host; Swagger UI sets style attributes and draws its icons as data URLs. */
const POLICY = {
  defaultSrc: ["'self'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", 'data:'],
  // The page may be reached without TLS.
  upgradeInsecureRequests: null,
};
