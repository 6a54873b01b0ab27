import { describe, expect, it } from '@jest/globals';
import {
  Controller,
  Get,
  Inject,
  Injectable,
  Module,
  type OnApplicationBootstrap,
  type OnModuleInit,
  type Type,
} from '@nestjs/common';
import { getRepositoryToken } from '@nestjs/typeorm';
import { once } from 'node:events';
import { connect } from 'node:net';
import { FEATURES } from '../../src/app.module.js';
import { PetEntity } from '../../src/pets/pet.entity.js';
import { PetsController } from '../../src/pets/pets.controller.js';
import { PetsService } from '../../src/pets/pets.service.js';
import { DatabaseModule } from '../../src/platform/database/database.module.js';
import { InjectTable } from '../../src/platform/database/tables/inject-table.decorator.js';
import { startApp, startRefusal } from '../support/start-app.js';

@Injectable()
class Prices {}

@Injectable()
class Crates {
  constructor(readonly prices: Prices) {}
}

@Injectable()
class PetCrates {
  constructor(readonly pets: PetsService) {}
}

@Injectable()
class CrateTable {
  constructor(@InjectTable(PetEntity) readonly table: object) {}
}

@Injectable()
class CrateRepository {
  constructor(@Inject(getRepositoryToken(PetEntity)) readonly repository: object) {}
}

@Injectable()
class Unknown {
  constructor(readonly prices: { of: string }) {}
}

@Injectable()
class Undefined {
  constructor(@Inject(undefined) readonly prices: object) {}
}

@Injectable()
class Property {
  @Inject(Prices)
  readonly prices: Prices;
}

@Injectable()
class Hen {
  constructor(@Inject('Egg') readonly egg: object) {}
}

@Injectable()
class Egg {
  constructor(readonly hen: Hen) {}
}

@Controller()
class CratesController {}

class Undecorated {
  @Get('undecorated')
  get(): void {}
}

const noBroker = (): never => {
  throw new Error('There is no broker.');
};

@Injectable()
class Init implements OnModuleInit {
  onModuleInit(): void {
    noBroker();
  }
}

@Injectable()
class Bootstrap implements OnApplicationBootstrap {
  /** As an error of the network, whose stack has no frame of the feature. */
  async onApplicationBootstrap(): Promise<void> {
    await once(connect(1, '127.0.0.1'), 'connect');
  }
}

@Injectable()
class Arrow {
  readonly onModuleInit = (): void => {
    noBroker();
  };
}

@Injectable()
class Text implements OnModuleInit {
  onModuleInit(): void {
    // Old libraries do.
    // eslint-disable-next-line @typescript-eslint/only-throw-error
    throw 'There is no broker.';
  }
}

@Injectable()
class Nothing implements OnModuleInit {
  onModuleInit(): Promise<void> {
    // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
    return Promise.reject();
  }
}

/** Replaces its own hook, so that it runs once. */
@Injectable()
class Once implements OnModuleInit {
  calls = 0;

  onModuleInit(): number {
    this.onModuleInit = () => this.calls;
    return ++this.calls;
  }
}

@Injectable()
class Loader implements OnModuleInit {
  onModuleInit(): string {
    return 'loaded';
  }
}

@Injectable()
class Needing implements OnModuleInit {
  state?: string;

  constructor(readonly loader: Loader) {}

  onModuleInit(): void {
    this.state = this.loader.onModuleInit();
  }
}

@Injectable()
class Thrower {
  constructor() {
    noBroker();
  }
}

const factory = {
  provide: 'factory',
  useFactory: async (): Promise<object> => {
    await Promise.resolve();
    return noBroker();
  },
};

interface Parts {
  readonly imports?: unknown[];
  readonly providers?: unknown[];
  readonly controllers?: unknown[];
  readonly exports?: unknown[];
}

function cratesModule(parts: Parts): Type {
  // Some of them are what the compiler refuses, and what files that import each other have at run time.
  @Module(parts as never)
  class CratesModule {}
  return CratesModule;
}

const BREAK_UP = 'where two files import each other, move what both need into a third one';
const UNKNOWN_CLASS = `takes an argument (index 0 of its constructor) whose class is unknown at run time; import the class with "import" instead of "import type", name what is no class with @Inject(), and ${BREAK_UP}.`;

describe('modules that do not fit together', () => {
  it.each<[string, Parts, string]>([
    [
      'a service that is not listed',
      { providers: [Crates] },
      'CratesModule lacks Prices that Crates takes; add it to "providers" there, or a module that exports it to "imports".',
    ],
    [
      'a service of a module that is not imported',
      { providers: [PetCrates] },
      expect.stringMatching(
        /^CratesModule lacks PetsService \(src\/pets\/pets\.service\.ts:\d+\) that PetCrates takes; add it to "providers" there, or a module that exports it to "imports"\.$/,
      ) as unknown as string, // an asymmetric matcher
    ],
    [
      'the table of an entity',
      { providers: [CrateTable] },
      'CratesModule lacks the table of PetEntity that CrateTable takes; add DatabaseModule.forFeature(PetEntity) to "imports" there.',
    ],
    [
      'a repository',
      { providers: [CrateRepository] },
      'CrateRepository takes a repository of TypeORM; take the table with @InjectTable(PetEntity) instead, and add DatabaseModule.forFeature(PetEntity) to "imports" of CratesModule.',
    ],
    ['a type that is no class', { providers: [Unknown] }, `Unknown ${UNKNOWN_CLASS}`],
    ['a token that is undefined', { providers: [Undefined] }, `Undefined ${UNKNOWN_CLASS}`],
    [
      'a property',
      { providers: [Property] },
      'the module of Property lacks what its property prices takes; add it to "providers" of the module, or a module that exports it to "imports".',
    ],
    [
      'an import that is undefined',
      { imports: [undefined] },
      `"imports" of CratesModule has undefined at index 0; name a class there, and ${BREAK_UP}.`,
    ],
    [
      'a provider that is undefined',
      { providers: [Prices, undefined] },
      `"providers" of CratesModule has undefined at index 1; name a class there, and ${BREAK_UP}.`,
    ],
    [
      'an import that is null',
      { imports: [null] },
      '"imports" of CratesModule has null at index 0, which is no module; name a module there.',
    ],
    [
      'an import that is a service',
      { imports: [Prices] },
      '"imports" of CratesModule has Prices, which is no module but has @Injectable(); move it to "providers".',
    ],
    [
      'an import that is a controller',
      { imports: [CratesController] },
      '"imports" of CratesModule has CratesController, which is no module but has @Controller(); move it to "controllers".',
    ],
    [
      'an export of what it lacks',
      { exports: [Prices] },
      'CratesModule exports Prices, which it neither provides nor imports; add it to "providers" or "imports" there, or remove it from "exports".',
    ],
    [
      'a provider without a value',
      { providers: [{ provide: Prices, useClass: undefined }] },
      `"providers" of CratesModule has nothing behind Prices; give it one of "useClass", "useValue", "useFactory" and "useExisting", and ${BREAK_UP}.`,
    ],
    [
      'services that need each other',
      { providers: [Hen, Egg, { provide: 'Egg', useExisting: Egg }] },
      expect.stringMatching(
        /^\w+ needs a class that needs \w+ itself; move what both need into a third class\.$/,
      ) as unknown as string, // an asymmetric matcher
    ],
    [
      'a controller without its decorator',
      { controllers: [Undecorated] },
      'Undecorated is in "controllers" of a module, but lacks @Controller(); add the decorator, or move the class to "providers".',
    ],
  ])('stop the start with one sentence: %s', async (_, parts, message) => {
    expect(await startRefusal(startApp({}, { features: [...FEATURES, cratesModule(parts)] }))).toEqual(message);
  });

  const REMEDY = 'correct it, or what it needs; LOG_LEVEL=debug logs the stack.';

  it.each<[string, unknown, string | RegExp]>([
    ['onModuleInit', Init, `Init.onModuleInit failed at the start (There is no broker.); ${REMEDY}`],
    [
      'onApplicationBootstrap',
      Bootstrap,
      `Bootstrap.onApplicationBootstrap failed at the start (ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:1); ${REMEDY}`,
    ],
    ['a hook that is a property', Arrow, `Arrow.onModuleInit failed at the start (There is no broker.); ${REMEDY}`],
    [
      'a hook of a value',
      { provide: 'value', useValue: { onModuleInit: noBroker } },
      `The hook onModuleInit of a provider failed at the start (There is no broker.); ${REMEDY}`,
    ],
    ['a hook that throws a text', Text, `Text.onModuleInit failed at the start (There is no broker.); ${REMEDY}`],
    ['a hook that throws nothing', Nothing, `Nothing.onModuleInit failed at the start (undefined); ${REMEDY}`],
    ['a constructor', Thrower, `new Thrower() failed at the start (There is no broker.); ${REMEDY}`],
    [
      'a factory that throws',
      factory,
      /^The factory of a provider at test\/platform\/composition-faults\.e2e-spec\.ts:\d+ failed at the start \(There is no broker\.\); correct it, or what it needs; LOG_LEVEL=debug logs the stack\.$/,
    ],
    [
      'a factory that reaches nothing',
      { provide: 'broker', useFactory: () => once(connect(1, '127.0.0.1'), 'connect') },
      'A provider failed at the start (ECONNREFUSED: connect ECONNREFUSED 127.0.0.1:1); look for the factory of a provider that needs it, and correct that, or what it needs.',
    ],
  ])('that fail stop the start with one sentence: %s', async (_, provider, sentence) => {
    const features = [...FEATURES, cratesModule({ providers: [provider] })];
    const message = await startRefusal(startApp({}, { features }));
    if (typeof sentence === 'string') expect(message).toBe(sentence);
    else expect(message).toMatch(sentence);
  });

  it('stop no start whose hooks replace themselves, return values, or belong to a Proxy', async () => {
    const guarded = new Proxy(new Once(), {
      defineProperty: () => {
        throw new TypeError('It is read-only.');
      },
      get: (target, name) => (name === 'onModuleInit' ? () => (target.calls += 1) : undefined),
    });
    const providers = [Once, Loader, Needing, { provide: 'guarded', useValue: guarded }];
    const { app } = await startApp({}, { features: [...FEATURES, cratesModule({ providers })] });
    const replaced = app.get(Once);
    expect([replaced.calls, replaced.onModuleInit(), app.get(Needing).state]).toEqual([1, 1, 'loaded']);
  });

  it('are named with file and line', async () => {
    @Module({ imports: [DatabaseModule.forFeature(PetEntity)], controllers: [PetsController] })
    class Incomplete {}
    Object.defineProperty(Incomplete, 'name', { value: 'PetsModule' });
    expect(await startRefusal(startApp({}, { features: [Incomplete] }))).toMatch(
      /^src\/pets\/pets\.module\.ts:\d+ PetsModule lacks PetsService \(src\/pets\/pets\.service\.ts:\d+\) that PetsController takes; add it to "providers" there, or /,
    );
  });
});
