import { describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { PetEntity } from '../../src/pets/pet.entity.js';
import { PetsModule } from '../../src/pets/pets.module.js';
import { Database } from '../../src/platform/database/database.js';
import { DatabaseUnavailable } from '../../src/platform/database/tables/database-unavailable.js';
import { StartError } from '../../src/platform/process/start-error.js';
import { startApp } from '../support/start-app.js';

@Module({ imports: [TypeOrmModule.forFeature([PetEntity])] })
class RepositoryModule {}

const REFUSAL =
  /^TypeORM's "\w+" rounds int64 and shares transactions among requests on SQLite; import DatabaseModule\.forFeature\(Entity\), .* instead\.$/;

describe('a repository of TypeORM', () => {
  it('stops the start when a feature injects one, and says what to use instead', async () => {
    const start = startApp({}, { features: [PetsModule, RepositoryModule] });
    await expect(start).rejects.toThrow(REFUSAL);
    await expect(start).rejects.toBeInstanceOf(StartError);
  });

  it.each([
    ['manager', (given: DataSource) => given.manager],
    ['getRepository', (given: DataSource) => given.getRepository(PetEntity)],
    ['createQueryBuilder', (given: DataSource) => given.createQueryBuilder()],
    ['createQueryRunner', (given: DataSource) => given.createQueryRunner()],
    ['sql', (given: DataSource) => given.sql`SELECT 1`],
    ['transaction', (given: DataSource) => given.transaction(() => Promise.resolve())],
  ])('cannot be reached through "%s" of the DataSource', async (_, reach) => {
    const { app } = await startApp();
    expect(() => reach(app.get(DataSource))).toThrow(REFUSAL);
  });
});

describe('a statement on the DataSource', () => {
  it.each(['BEGIN', ' begin immediate', '-- a comment\nSTART TRANSACTION', '/* a\nb */ ; SAVEPOINT "a"', 'COMMIT'])(
    'must not begin or end a transaction on a shared connection: %j',
    async (statement) => {
      const { app } = await startApp();
      await expect(app.get(DataSource).query(statement)).rejects.toThrow(/^TypeORM's ".*" rounds int64/s);
    },
  );

  it('is refused inside of a transaction, of which it would be no part', async () => {
    const { app } = await startApp();
    const work = app.get(Database).transaction(() => app.get(DataSource).query('SELECT 1'));
    await expect(work).rejects.toThrow('Inside of a transaction, use its tables');
  });

  it('fails with 503 when the database is unavailable', async () => {
    const { app } = await startApp();
    const dataSource = app.get(DataSource);
    expect(await dataSource.query('SELECT 1 AS "one"')).toEqual([{ one: 1 }]);
    await dataSource.destroy();
    await expect(dataSource.query('SELECT 1')).rejects.toBeInstanceOf(DatabaseUnavailable);
  });
});
