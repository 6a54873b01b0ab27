import { Module } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import helmet from 'helmet';
import type { Contract } from '../platform/contract/contract.js';
import { declaredOrigins } from './declared-origins.js';
import { DocsController } from './docs.controller.js';

@Module({ controllers: [DocsController] })
export class DocsModule {}

/** Sets the security headers of the documentation pages. */
export function serveDocs(app: NestExpressApplication, contract: Contract): void {
  // The page may try out the contract's other servers, if those allow its origin.
  const directives = { ...POLICY, connectSrc: ["'self'", ...declaredOrigins(contract)] };
  app.use('/docs', helmet({ contentSecurityPolicy: { directives }, strictTransportSecurity: false }));
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
