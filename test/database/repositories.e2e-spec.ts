import { describe, expect, it } from '@jest/globals';
import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { PetEntity } from '../../src/pets/pet.entity.js';
import { PetsModule } from '../../src/pets/pets.module.js';
import { StartError } from '../../src/platform/process/start-error.js';
import { startApp } from '../support/start-app.js';

@Module({ imports: [TypeOrmModule.forFeature([PetEntity])] })
class RepositoryModule {}

const REFUSAL =
  /^TypeORM's "\w+" breaks promises of the tables, such as .*; import DatabaseModule\.forFeature\(Entity\), .* instead\.$/;

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
    ['query', (given: DataSource) => given.query('DELETE FROM "pets"')],
    ['driver', (given: DataSource) => given.driver],
    ['synchronize', (given: DataSource) => given.synchronize()],
    ['dropDatabase', (given: DataSource) => given.dropDatabase()],
    ['runMigrations', (given: DataSource) => given.runMigrations()],
    ['undoLastMigration', (given: DataSource) => given.undoLastMigration()],
    ['destroy', (given: DataSource) => given.destroy()],
    ['sql', (given: DataSource) => given.sql`SELECT 1`],
    ['showMigrations', (given: DataSource) => given.showMigrations()],
    ['relationLoader', (given: DataSource) => given.relationLoader],
    ['setOptions', (given: DataSource) => given.setOptions({})],
    ['initialize', (given: DataSource) => given.initialize()],
    ['getMetadata', (given: DataSource) => given.getMetadata(PetEntity)],
    ['entityMetadatas', (given: DataSource) => given.entityMetadatas],
    ['transaction', (given: DataSource) => given.transaction(() => Promise.resolve())],
  ])('cannot be reached through "%s" of the DataSource', async (_, reach) => {
    const { app } = await startApp();
    expect(() => reach(app.get(DataSource))).toThrow(REFUSAL);
  });
});
