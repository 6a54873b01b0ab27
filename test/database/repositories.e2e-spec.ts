import { describe, expect, it } from '@jest/globals';
import {
  Controller,
  Get,
  Injectable,
  Module,
  Post,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { DiscoveryModule, DiscoveryService, MetadataScanner } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { PetEntity } from '../../src/pets/pet.entity.js';
import { FEATURES } from '../../src/app.module.js';
import { StartError } from '../../src/platform/process/start-error.js';
import { collectErrors } from '../platform/nest/toys/log.js';
import { startApp } from '../support/start-app.js';

@Module({ imports: [TypeOrmModule.forFeature([PetEntity])] })
class RepositoryModule {}

/** Looks for methods with a decorator as packages for events, schedules and queues do. */
@Injectable()
class Finder implements OnApplicationBootstrap {
  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  onApplicationBootstrap(): void {
    for (const { instance } of this.discovery.getProviders()) {
      if (typeof instance !== 'object' || instance === null) continue;
      const found = instance as Record<string, unknown>;
      const names = this.scanner.getAllMethodNames(Object.getPrototypeOf(found) as object);
      for (const name of [...names, ...Object.keys(found)]) {
        const member = found[name];
        if (typeof member === 'function') Reflect.getMetadata('listens', member);
      }
    }
  }
}

@Module({ imports: [DiscoveryModule], providers: [Finder] })
class FinderModule {}

@Injectable()
class Caller implements OnModuleInit {
  constructor(private readonly dataSource: DataSource) {}

  onModuleInit(): void {
    this.dataSource.getRepository(PetEntity);
  }
}

@Module({ providers: [Caller] })
class CallerModule {}

const REFUSAL =
  /^(?:src\/\S+ )?TypeORM's "\w+" breaks promises of the tables, such as .*; import DatabaseModule\.forFeature\(Entity\), .* instead\.$/;

describe('a repository of TypeORM', () => {
  it.each([
    ['injects one', RepositoryModule],
    ['takes one from the DataSource', CallerModule],
  ])('stops the start when a feature %s, and says what to use instead', async (_, module) => {
    const start = startApp({}, { features: [...FEATURES, module] });
    await expect(start).rejects.toThrow(REFUSAL);
    await expect(start).rejects.toBeInstanceOf(StartError);
  });

  it('stops the start with file and line of the constructor that takes it', async () => {
    // Named as a class of the sources, which alone have places.
    class PetsService {
      readonly pets: object;

      constructor(given: DataSource) {
        this.pets = given.getRepository(PetEntity);
      }
    }
    @Module({
      providers: [{ provide: 'own', useFactory: (given: DataSource) => new PetsService(given), inject: [DataSource] }],
    })
    class ServiceModule {}
    await expect(startApp({}, { features: [...FEATURES, ServiceModule] })).rejects.toThrow(
      /^src\/pets\/pets\.service\.ts:\d+ TypeORM's "getRepository" breaks promises of the tables, /,
    );
  });

  it('fails a request with file and line of the method, and says what to use instead', async () => {
    class PetsService {
      constructor(private readonly given: DataSource) {}

      list(): unknown {
        return this.given.query('SELECT 1');
      }
    }
    @Controller('pets')
    class OwnController {
      readonly #own: PetsService;

      constructor(given: DataSource) {
        this.#own = new PetsService(given);
      }

      @Get()
      list(): unknown {
        return this.#own.list();
      }

      @Post()
      create(): void {}

      @Get(':petId')
      get(): void {}
    }
    @Module({ controllers: [OwnController] })
    class OwnModule {}
    const { api, app } = await startApp(
      {},
      { features: [...FEATURES.filter((feature) => feature.name !== 'PetsModule'), OwnModule] },
    );
    const errors = collectErrors(app);
    expect((await api.get('/v1/pets')).status).toBe(500);
    expect(errors.join()).toMatch(
      /src\/pets\/pets\.service\.ts:\d+ TypeORM's "query" breaks promises .* inject its table with @InjectTable\(Entity\) and the transactions of Database instead\./,
    );
  });

  it('does not keep a package from looking for decorated methods in all providers', async () => {
    const { api } = await startApp({}, { features: [...FEATURES, FinderModule] });
    expect((await api.get('/v1/pets')).status).toBe(200);
  });

  it.each([
    ['manager', (given: DataSource) => given.manager.getRepository(PetEntity)],
    ['manager', ({ manager: { connection } }: DataSource) => connection.createQueryBuilder()],
    ['getRepository', (given: DataSource) => given.getRepository(PetEntity)],
    ['createQueryBuilder', (given: DataSource) => given.createQueryBuilder()],
    ['createQueryRunner', (given: DataSource) => given.createQueryRunner()],
    ['query', (given: DataSource) => given.query('DELETE FROM "pets"')],
    ['driver', (given: DataSource) => given.driver.connect()],
    ['synchronize', (given: DataSource) => given.synchronize()],
    ['dropDatabase', (given: DataSource) => given.dropDatabase()],
    ['runMigrations', (given: DataSource) => given.runMigrations()],
    ['undoLastMigration', (given: DataSource) => given.undoLastMigration()],
    ['destroy', (given: DataSource) => given.destroy()],
    ['sql', (given: DataSource) => given.sql`SELECT 1`],
    ['showMigrations', (given: DataSource) => given.showMigrations()],
    ['relationLoader', (given: DataSource) => given.relationLoader.enableLazyLoad({} as never, {})],
    ['setOptions', (given: DataSource) => given.setOptions({})],
    ['initialize', (given: DataSource) => given.initialize()],
    ['subscribers', ({ subscribers: [first] }: DataSource) => first],
    ['getMetadata', (given: DataSource) => given.getMetadata(PetEntity)],
    ['entityMetadatas', (given: DataSource) => given.entityMetadatas.map(({ connection }) => connection)],
    ['transaction', (given: DataSource) => given.transaction(() => Promise.resolve())],
  ])('cannot be reached through "%s" of the DataSource', async (_, reach) => {
    const { app } = await startApp();
    expect(() => reach(app.get(DataSource))).toThrow(REFUSAL);
  });
});
