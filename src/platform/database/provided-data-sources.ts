import type { INestApplication } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { DataSource } from 'typeorm';

/** The DataSource of the application, and those that its modules provide for other databases. */
export function providedDataSources(app: INestApplication): DataSource[] {
  const providers = [...app.get(ModulesContainer).values()].flatMap((module) => [...module.providers.values()]);
  return providers
    .filter((provider) => provider.isDependencyTreeStatic())
    .map(({ instance }): unknown => instance)
    .filter((instance): instance is DataSource => instance instanceof DataSource);
}
