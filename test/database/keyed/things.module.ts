import {
  Controller,
  Module,
  NotFoundException,
  Post,
  Query,
  Redirect,
  Res,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import type { Response } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Observable } from 'rxjs';
import { Database } from '../../../src/platform/database/database.js';
import { DatabaseModule } from '../../../src/platform/database/database.module.js';
import { InjectTable } from '../../../src/platform/database/tables/inject-table.decorator.js';
import type { KeysetTable } from '../../../src/platform/database/tables/keyset-table.js';
import { PetEntity } from '../../../src/pets/pet.entity.js';

const ROW = { name: 'Rex', categoryId: 7n };

/** What a test does while a handler waits. */
export const hooks = { calls: 0, wait: (): Promise<void> => Promise.resolve() };

class PassThrough implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle();
  }
}

type Way = (response: Response) => Promise<unknown>;

/** Ways to change rows while a request is served. */
@Controller('things')
export class ThingsController {
  constructor(
    private readonly database: Database,
    @InjectTable(PetEntity) private readonly pets: KeysetTable<PetEntity>,
  ) {}

  readonly ways: Readonly<Record<string, Way>> = {
    insert: async () => ({ result: await this.pets.insert(ROW) }),
    'insert after a wait': async () => {
      await hooks.wait();
      await this.pets.find(1n);
      return { result: await this.pets.insert(ROW) };
    },
    'insert after a wait, if it is the first': async (response) => {
      await hooks.wait();
      const [other] = await this.pets.page({ where: {}, limit: 1 });
      response.setHeader(other ? 'X-Late' : 'X-Number', 'yes');
      if (other) throw new NotFoundException('there is one');
      return { result: await this.pets.insert(ROW) };
    },
    'look in a transaction after a wait, then insert if there is none': async (response) => {
      await hooks.wait();
      const only = { ...ROW, categoryId: 8n };
      const [other] = await this.database.transaction((transaction) =>
        transaction.table(PetEntity).page({ where: { categoryId: 8n }, limit: 1 }),
      );
      response.setHeader(other ? 'X-Late' : 'X-Number', 'yes');
      return { result: other ? 0n : await this.pets.insert(only) };
    },
    'wait after an insert': async () => {
      const result = await this.pets.insert(ROW);
      await hooks.wait();
      return { result };
    },
    transaction: () =>
      this.database.transaction(async (transaction) => {
        const pets = transaction.table(PetEntity);
        await pets.insert(ROW);
        const result = await pets.insert(ROW);
        await pets.find(result);
        return { result };
      }),
    'wait after a transaction': async () => {
      const result = await this.database.transaction((transaction) => transaction.table(PetEntity).insert(ROW));
      await hooks.wait();
      return { result };
    },
    'fail after an insert': async () => {
      await this.pets.insert(ROW);
      throw new NotFoundException('no such thing');
    },
    'fail with an error that breaks the contract': async () => {
      await this.pets.insert(ROW);
      throw new NotFoundException({ message: 'no such thing', thing: 'none' });
    },
    'write the response after an insert': async (response) => {
      const result = await this.pets.insert(ROW);
      await pipeline(Readable.from(['{"result":', `${result}}`]), response);
      return { result };
    },
    'write the response, then insert': async (response) => {
      await pipeline(Readable.from(['{"result":', '1}']), response);
      return { result: await this.pets.insert(ROW) };
    },
    'write the response, then fail': async (response) => {
      response.json({ result: Number(await this.pets.insert(ROW)) });
      throw new NotFoundException('no such thing');
    },
    'fail after a transaction': async () => {
      await this.database.transaction((transaction) => transaction.table(PetEntity).insert(ROW));
      throw new NotFoundException('no such thing');
    },
    'fail in a transaction': () =>
      this.database.transaction(async (transaction) => {
        await transaction.table(PetEntity).insert(ROW);
        throw new NotFoundException('no such thing');
      }),
    'break the contract after an insert': async () => {
      await this.pets.insert(ROW);
      return { result: 'none' };
    },
    'insert twice': async () => {
      await this.pets.insert(ROW);
      return { result: await this.pets.insert(ROW) };
    },
    'insert twice at once': async () => {
      const [result] = await Promise.all([this.pets.insert(ROW), this.pets.insert(ROW)]);
      return { result };
    },
    'read after an insert': async () => {
      const result = await this.pets.insert(ROW);
      await this.pets.find(result);
      return { result };
    },
    'insert without waiting': async () => {
      void this.pets.insert(ROW);
      return { result: 1n };
    },
    'insert in a transaction with the injected table': () =>
      this.database.transaction(async () => ({ result: await this.pets.insert(ROW) })),
    'write while the response is stored': async (response) => {
      const result = await this.pets.insert(ROW);
      process.nextTick(() => response.writeHead(200).end('{"result":0}'));
      return { result };
    },
    nothing: async () => ({ result: BigInt(hooks.calls) }),
    'an empty response': async (response) => {
      response.status(204).setHeader('X-Number', String(await this.pets.insert(ROW)));
    },
    headers: async (response) => {
      const result = await this.pets.insert(ROW);
      response.setHeader('X-Number', `${result}`);
      return { result };
    },
  };

  @Post()
  async add(@Query('how') how: string, @Res({ passthrough: true }) response: Response): Promise<unknown> {
    hooks.calls += 1;
    return this.ways[how]!(response);
  }
}

/** The same through Nest's own handler. */
@Controller('things')
export class ObservedThingsController extends ThingsController {
  @Post()
  @UseInterceptors(PassThrough)
  override add(@Query('how') how: string, @Res({ passthrough: true }) response: Response): Promise<unknown> {
    return super.add(how, response);
  }
}

@Controller('things')
export class SendingThingsController {
  constructor(@InjectTable(PetEntity) private readonly pets: KeysetTable<PetEntity>) {}

  @Post()
  async add(@Res() response: Response): Promise<void> {
    response.status(200).json({ result: Number(await this.pets.insert(ROW)) });
  }
}

@Controller('things')
export class RedirectingThingsController {
  constructor(@InjectTable(PetEntity) private readonly pets: KeysetTable<PetEntity>) {}

  @Post()
  @Redirect('', 303)
  async add(): Promise<{ url: string; statusCode: number }> {
    hooks.calls += 1;
    return { url: `/v1/things/${await this.pets.insert(ROW)}`, statusCode: 303 };
  }
}

const imports = [DatabaseModule.forFeature(PetEntity)];

@Module({ imports, controllers: [ThingsController] })
export class ThingsModule {}

@Module({ imports, controllers: [ObservedThingsController] })
export class ObservedThingsModule {}

@Module({ imports, controllers: [SendingThingsController] })
export class SendingThingsModule {}

@Module({ imports, controllers: [RedirectingThingsController] })
export class RedirectingThingsModule {}
