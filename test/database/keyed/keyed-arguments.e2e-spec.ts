import { expect, it } from '@jest/globals';
import { Controller, Module, Post, Query } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { createDataSource } from '../../../src/data-source.js';
import { Database } from '../../../src/platform/database/database.js';
import { DatabaseModule } from '../../../src/platform/database/database.module.js';
import { ServedDatabase } from '../../../src/platform/database/served/served-database.js';
import { InjectTable } from '../../../src/platform/database/tables/inject-table.decorator.js';
import type { KeysetTable } from '../../../src/platform/database/tables/keyset-table.js';
import { startApp } from '../../support/start-app.js';
import { ChangingPetEntity } from './changing-pet.entity.js';

let onCall = (): void => {};

@Controller('things')
class ChangingController {
  constructor(@InjectTable(ChangingPetEntity) private readonly pets: KeysetTable<ChangingPetEntity>) {}

  @Post()
  async add(@Query('how') how: string): Promise<{ result: bigint }> {
    const [changes, where] = [{ name: 'at the call' }, { name: 'before' }];
    const changing = how === 'update' ? this.pets.update(1n, changes, where) : this.pets.delete(1n, where);
    Object.assign(changes, { name: 'after the call' });
    Object.assign(where, { name: 'after the call' });
    onCall();
    return { result: (await changing) ? 1n : 0n };
  }
}

@Module({ imports: [DatabaseModule.forFeature(ChangingPetEntity)], controllers: [ChangingController] })
class ChangingModule {}

it.each([
  ['update', [{ name: 'at the call' }]],
  ['delete', []],
])(
  'an %s of an operation with an Idempotency-Key takes what its arguments hold when it is called, however late its transaction begins',
  async (how, left) => {
    const { app, api } = await startApp(
      {},
      {
        contractFile: fileURLToPath(new URL('things.openapi.yaml', import.meta.url)),
        features: [ChangingModule],
        createDataSource: async (config) => {
          const dataSource = await createDataSource(config);
          // They are listed as classes.
          const entities = [...(dataSource.options.entities as Function[]), ChangingPetEntity];
          return dataSource.setOptions({ entities });
        },
      },
    );
    const { dataSource } = app.get(ServedDatabase);
    await dataSource.query(`INSERT INTO "pets" ("id", "name", "categoryId") VALUES (1, 'before', 7)`);
    const called = new Promise<void>((resolve) => (onCall = resolve));
    // On SQLite, the other transaction begins after this one.
    const before = app.get(Database).transaction(() => called);
    const response = await api.post(`/v1/things?how=${how}`, {}, { headers: { 'idempotency-key': randomUUID() } });
    await before;
    expect([response.status, response.text]).toEqual([201, '{"result":1}']);
    expect(await dataSource.query('SELECT "name" FROM "pets"')).toEqual(left);
  },
);
