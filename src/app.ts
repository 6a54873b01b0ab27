import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule, FEATURES } from './app.module.js';
import type { Config } from './config.js';
import type { Contract } from './contract/contract.js';
import { readContract } from './contract/read-contract.js';
import { serveDocs } from './docs/docs.module.js';
import { ContractAdapter } from './http/contract-adapter.js';
import { createLogger } from './logger.js';
import { findRoot } from './root.js';

export interface AppParts {
  readonly contract?: Contract;
  /** The modules that answer the operations of the contract. */
  readonly features?: readonly Type<object>[];
  /** Called before the routes are registered: the place of `app.use`. */
  readonly prepare?: (app: NestExpressApplication) => void;
}

/** The whole application, ready to listen. Throws a StartError when it cannot be. */
export async function createApp(config: Config, parts: AppParts = {}): Promise<NestExpressApplication> {
  const { contract = readContract(`${findRoot()}/openapi.yaml`), features = FEATURES, prepare } = parts;
  const adapter = new ContractAdapter(contract, config);
  const app = await NestFactory.create<NestExpressApplication>(AppModule.forRoot(config, contract, features), adapter, {
    abortOnError: false,
    bodyParser: false,
    logger: createLogger(config.logLevel),
  });
  if (config.corsOrigins.length > 0) {
    app.enableCors({ origin: [...config.corsOrigins], exposedHeaders: EXPOSED_HEADERS });
  }
  serveDocs(app);
  prepare?.(app);
  await app.init();
  adapter.assertComplete();
  return app;
}

const EXPOSED_HEADERS = ['Link', 'Location', 'Deprecation', 'Sunset', 'Retry-After', 'WWW-Authenticate', 'Allow'];
