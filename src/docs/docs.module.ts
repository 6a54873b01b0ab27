import { Module } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import helmet from 'helmet';
import { DocsController } from './docs.controller.js';

@Module({ controllers: [DocsController] })
export class DocsModule {}

/** Sets the security headers of the documentation pages. */
export function serveDocs(app: NestExpressApplication): void {
  app.use('/docs', helmet({ contentSecurityPolicy: { directives: POLICY }, strictTransportSecurity: false }));
}

/** Own origin only, except that Swagger UI sets style attributes and draws its icons as data URLs. */
const POLICY = {
  defaultSrc: ["'self'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'", "'unsafe-inline'"],
  fontSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  // The page must also load without TLS.
  upgradeInsecureRequests: null,
};
