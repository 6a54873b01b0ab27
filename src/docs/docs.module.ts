import { Module } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import helmet from 'helmet';
import { DocsController } from './docs.controller.js';

@Module({ controllers: [DocsController] })
export class DocsModule {}

/** The strict header fields of the pages. */
export function serveDocs(app: NestExpressApplication): void {
  app.use('/docs', helmet({ contentSecurityPolicy: { directives: POLICY }, strictTransportSecurity: false }));
}

/** Everything from this host; Swagger UI sets style attributes and draws its icons as data URLs. */
const POLICY = {
  defaultSrc: ["'self'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'", "'unsafe-inline'"],
  fontSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  // The page may be reached without TLS.
  upgradeInsecureRequests: null,
};
