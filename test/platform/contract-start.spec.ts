import { afterAll, describe, expect, it } from '@jest/globals';
import {
  All,
  Controller,
  Get,
  Global,
  HttpCode,
  type MessageEvent,
  Module,
  Next,
  Post,
  Redirect,
  Render,
  RequestMapping,
  RequestMethod,
  Res,
  Scope,
  Sse,
  type Type,
  Version,
  VERSION_NEUTRAL,
  type VersioningOptions,
  VersioningType,
} from '@nestjs/common';
import type { NextFunction, Response } from 'express';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Observable, of } from 'rxjs';
import { FEATURES as SERVICE_FEATURES } from '../../src/app.module.js';
import { readContract } from '../../src/platform/contract/read-contract.js';
import { ErrorResponses } from '../../src/platform/errors/error-responses.decorator.js';
import { StartError } from '../../src/platform/process/start-error.js';
import { startApp, type StartOptions } from '../support/start-app.js';

const EXAMPLE = fileURLToPath(new URL('../support/contract/example.openapi.yaml', import.meta.url));
const CONTRACT = readFileSync(EXAMPLE, 'utf8');

const directory = mkdtempSync(join(process.env.TEST_RUN_DIRECTORY ?? tmpdir(), 'contract-'));
const file = join(directory, 'openapi.yaml');

afterAll(() => rmSync(directory, { recursive: true }));

const NO_HANDLER = (): void => {};

/** The contract with one text replaced. Throws when the text is missing. */
function changed(from: string, to: string): string {
  if (!CONTRACT.includes(from)) throw new Error(`the contract lacks ${from}`);
  return CONTRACT.replace(from, () => to);
}

function place(text: string, at: string): string {
  const offset = text.indexOf(at);
  if (offset === -1) throw new Error(`the text lacks ${at}`);
  const lines = text.slice(0, offset).split('\n');
  return `${lines.length}:${lines.at(-1)!.length + 1}`;
}

function failureOf(text: string): StartError {
  writeFileSync(file, text);
  try {
    readContract(file);
  } catch (error) {
    if (error instanceof StartError) return error;
    throw error;
  }
  throw new Error('the contract was read');
}

@Controller('pets')
class PetsController {
  @Get()
  list(): unknown[] {
    return [];
  }

  @Post()
  create(): void {}

  @Get(':petId')
  get(): void {}
}

const FEATURES = [feature(PetsController)];

const VERSIONINGS: VersioningOptions[] = [
  { type: VersioningType.HEADER, header: 'Version', defaultVersion: '1' },
  { type: VersioningType.MEDIA_TYPE, key: 'v=', defaultVersion: ['1', '2'] },
];

async function startErrorOf(options: StartOptions): Promise<StartError> {
  const outcome: unknown = await startApp({}, { contractFile: EXAMPLE, features: FEATURES, ...options }).then(
    ({ baseUrl }) => `started at ${baseUrl}`,
    (error: unknown) => error,
  );
  if (outcome instanceof StartError) return outcome;
  throw outcome instanceof Error ? outcome : new Error(String(outcome));
}

const UNDECLARED = 'is not declared here; declare it, or remove the handler';
const SERVED = 'the service answers itself; remove the handler';
/** Why a handler of a method is refused; the others cannot be declared. */
const REASONS: Readonly<Record<string, string>> = {
  GET: UNDECLARED,
  PUT: UNDECLARED,
  POST: UNDECLARED,
  DELETE: UNDECLARED,
  PATCH: UNDECLARED,
  HEAD: SERVED,
  OPTIONS: SERVED,
};

/** The line of an operation changes with each edit of the contract. */
const withoutPlace = ({ message }: StartError) => new StartError(message.replace(PLACE, 'FILE:1:1 '));
const PLACE = /^\S+\.yaml:\d+:\d+ /;

function feature(controller: Type<object>): Type<object> {
  @Module({ controllers: [controller] })
  class Feature {}
  return Feature;
}

const LIST = '      operationId: listPets\n';
const FAILED = "        '500':\n          $ref: '#/components/responses/InternalServerError'\n";
const UNAVAILABLE = "        '503':\n          $ref: '#/components/responses/ServiceUnavailable'\n";
const LIST_RESPONSES = "responses:\n        '200':\n          description: The page";
const NEW_PET_REF = "                $ref: '#/components/schemas/NewPet'\n            examples";
const STATUS = `    PetStatus:
      type: string
      description: Availability of the animal.
      enum: [available, pending, sold]
`;

describe('an invalid contract', () => {
  it.each<[string, string, string, string, string]>([
    [
      'broken YAML',
      'title: Pet Store',
      'title: Pet: Store',
      'Pet: Store',
      'Nested mappings are not allowed in compact mappings',
    ],
    [
      'a duplicate key',
      LIST,
      `${LIST}      tags: [dogs]\n`,
      'tags: [pets]\n      summary: List',
      'this name is used twice in one object; rename or remove one of them',
    ],
    [
      'an unsupported version of OpenAPI',
      '3.0.3',
      '2.0.0',
      '2.0.0',
      '"openapi" must be a release of 3.0 or 3.1, such as 3.1.1',
    ],
    ['a version that is a number', '3.0.3', '3.0', '3.0', '"openapi" must be a release of 3.0 or 3.1, such as 3.1.1'],
    [
      'no servers',
      'servers:',
      'x-servers:',
      'openapi: 3',
      'the document lacks "servers"; add the path with which all paths begin, such as "servers: [{ url: /v1 }]"',
    ],
    [
      'an empty list of servers',
      'servers:\n',
      'servers: []\nx-servers:\n',
      '[]',
      'servers lacks "0"; add the path with which all paths begin, such as "servers: [{ url: /v1 }]"',
    ],
    [
      'a server variable without a default',
      '      base_url:\n        default: /v1\n',
      '      base_url:\n',
      'description: Base address',
      'servers.0.variables.base_url lacks "default"',
    ],
    [
      'the base path /',
      'default: /v1',
      'default: /',
      "url: '{base_url}'",
      'the URL of the first server must have a path, such as /v1',
    ],
    ['no paths', 'paths:', 'x-paths:', 'openapi: 3', 'the document lacks "paths"'],
    [
      'no protocol responses',
      'x-protocol-responses:',
      'x-other-responses:',
      'openapi: 3',
      'the document lacks "x-protocol-responses"',
    ],
    [
      'an operation without operationId',
      '      operationId: createPet\n',
      '',
      'tags: [pets]\n      summary: Add',
      'paths./pets.post lacks "operationId"',
    ],
    [
      'a default that JSON cannot hold',
      '  schemas:\n',
      '  schemas:\n    Free:\n      type: object\n      default: { a: .inf }\n',
      '{ a: .inf }',
      'JSON cannot hold the default; write one that a request could have',
    ],
    ['an operationId that is not text', LIST, '      operationId: 1\n', '1\n      tags', '"operationId" must be text'],
    [
      'a duplicate operationId',
      'operationId: createPet',
      'operationId: listPets',
      'listPets\n      tags: [pets]\n      summary: Add',
      'operationId "listPets" is used twice; rename one of them',
    ],
    [
      'an operation without responses',
      '      responses:\n',
      '      x-responses:\n',
      'operationId: listPets',
      'paths./pets.get lacks "responses"',
    ],
    [
      'an operation that does not declare 500',
      FAILED,
      '',
      LIST_RESPONSES,
      'the operation must declare 500: it may fail',
    ],
    [
      'an operation that does not declare 503',
      UNAVAILABLE,
      '',
      LIST_RESPONSES,
      'the operation must declare 503: the service may be stopping',
    ],
    [
      'no security',
      'security:\n  - apiKey: []\n',
      'x-security: []\n',
      'openapi:',
      'the document lacks "security"; name the scheme of all operations, such as "security: [{ apiKey: [] }]", or write "security: []" for none',
    ],
    [
      'a response for all other statuses',
      "        '400':\n          $ref: '#/components/responses/BadQ",
      "        default:\n          $ref: '#/components/responses/BadQ",
      'default:\n          $ref',
      '"default" is not a status; ranges and "default" are not supported',
    ],
    [
      'a response for a range of statuses',
      "        '400':\n          $ref: '#/components/responses/BadQ",
      "        4XX:\n          $ref: '#/components/responses/BadQ",
      '4XX:',
      '"4XX" is not a status; ranges and "default" are not supported',
    ],
    [
      'an unknown security scheme',
      '  - apiKey: []',
      '  - token: []',
      'apiKey:\n      type: http',
      'components.securitySchemes lacks "token"',
    ],
    [
      'an unsupported security scheme',
      'scheme: bearer',
      'scheme: basic',
      'type: http',
      'only HTTP bearer authentication is supported',
    ],
    [
      'a path parameter that is not declared',
      'name: petId',
      'name: dogId',
      'operationId: getPet',
      'the path parameter "petId" is not declared',
    ],
    [
      'a deprecated operation without x-sunset',
      '      x-sunset: 2030-12-05\n',
      '',
      'operationId: getPet',
      'paths./pets/{petId}.get lacks "x-sunset"',
    ],
    [
      'a deprecated operation without x-deprecated-at',
      '      x-deprecated-at: 2026-11-20\n',
      '',
      'operationId: getPet',
      'paths./pets/{petId}.get lacks "x-deprecated-at"',
    ],
    ['text instead of a date', '2030-12-05', 'soon', 'soon', '"x-sunset" must be a day, such as 2030-12-05'],
    [
      'a month that does not exist',
      '2030-12-05',
      '2030-13-05',
      '2030-13-05',
      '"x-sunset" must be a day, such as 2030-12-05',
    ],
    [
      'a day that does not exist',
      '2030-12-05',
      '2030-02-30',
      '2030-02-30',
      '"x-sunset" must be a day, such as 2030-12-05',
    ],
    [
      'a successor that does not exist',
      'x-successor: listPets',
      'x-successor: listDogs',
      'listDogs',
      'no operation has the operationId "listDogs"; name a declared one',
    ],
    [
      'an unsupported media type',
      "          application/json:\n            schema:\n              $ref: '#/components/schemas/NewPet'",
      "          text/plain:\n            schema:\n              $ref: '#/components/schemas/NewPet'",
      'text/plain:',
      'only application/json is supported',
    ],
    [
      'a schema without a type',
      'type: array\n      description: A page',
      'description: A page',
      'description: A page',
      'components.schemas.Pets lacks "type"; name the type, because a value of any type is not supported',
    ],
    [
      'a schema that contains itself',
      "    Pets:\n      type: array\n      description: A page of animals in ascending order of `id`.\n      items:\n        $ref: '#/components/schemas/Pet'\n",
      "    Pets:\n      type: array\n      items:\n        $ref: '#/components/schemas/Pets'\n",
      "type: array\n      items:\n        $ref: '#/components/schemas/Pets'",
      'recursive schemas are not supported',
    ],
    [
      'a $ref to another file',
      "'#/components/responses/BadQuery'",
      "'other.yaml#/BadQuery'",
      "$ref: 'other.yaml#/BadQuery'",
      '"$ref" must begin with "#/"; move what it refers to into this file',
    ],
    [
      'a $ref to itself',
      STATUS,
      "    PetStatus:\n      $ref: '#/components/schemas/PetStatus'\n",
      "$ref: '#/components/schemas/PetStatus'\n    NewPet",
      '"$ref" #/components/schemas/PetStatus refers to itself; write out one of the parts that refer to each other',
    ],
    [
      'a circular $ref',
      STATUS,
      "    PetStatus:\n      $ref: '#/components/schemas/Other'\n    Other:\n      $ref: '#/components/schemas/PetStatus'\n",
      "$ref: '#/components/schemas/PetStatus'\n    NewPet",
      '"$ref" #/components/schemas/PetStatus refers to itself; write out one of the parts that refer to each other',
    ],
    [
      'a $ref to a missing response',
      "'#/components/responses/BadQuery'",
      "'#/components/responses/Nothing'",
      "$ref: '#/components/responses/Nothing'",
      '"$ref" #/components/responses/Nothing does not exist; add Nothing to "components.responses"',
    ],
    [
      'a $ref to a misspelt schema',
      NEW_PET_REF.trimStart(),
      NEW_PET_REF.trimStart().replace('NewPet', 'NewPets'),
      "$ref: '#/components/schemas/NewPets'",
      '"$ref" #/components/schemas/NewPets does not exist; refer to #/components/schemas/NewPet, or add NewPets to "components.schemas"',
    ],
    [
      'a $ref to another section',
      NEW_PET_REF.trimStart(),
      NEW_PET_REF.trimStart().replace('schemas/NewPet', 'responses/NewPet'),
      "$ref: '#/components/responses/NewPet'",
      '"$ref" #/components/responses/NewPet does not exist; refer to #/components/schemas/NewPet, or add NewPet to "components.responses"',
    ],
    [
      'a $ref outside of the components',
      NEW_PET_REF.trimStart(),
      NEW_PET_REF.trimStart().replace('components/schemas/NewPet', 'definitions/Nothing'),
      "$ref: '#/definitions/Nothing'",
      '"$ref" #/definitions/Nothing does not exist; add Nothing to "components.schemas", and refer to it there',
    ],
    [
      'a $ref to a member of Object.prototype',
      "'#/components/responses/BadQuery'",
      "'#/components/responses/constructor'",
      "$ref: '#/components/responses/constructor'",
      '"$ref" #/components/responses/constructor does not exist; add constructor to "components.responses"',
    ],
    [
      'a $ref to a missing header',
      "$ref: '#/components/headers/NextPage'",
      "$ref: '#/components/headers/Nothing'",
      "$ref: '#/components/headers/Nothing'",
      '"$ref" #/components/headers/Nothing does not exist; add Nothing to "components.headers"',
    ],
    [
      'a $ref to a missing parameter schema',
      "            $ref: '#/components/schemas/PetStatus'\n          example",
      "            $ref: '#/components/schemas/Nothing'\n          example",
      "$ref: '#/components/schemas/Nothing'",
      '"$ref" #/components/schemas/Nothing does not exist; add Nothing to "components.schemas"',
    ],
    [
      'a $ref to a missing body schema',
      NEW_PET_REF.trimStart(),
      NEW_PET_REF.trimStart().replace('NewPet', 'Nothing'),
      "$ref: '#/components/schemas/Nothing'",
      '"$ref" #/components/schemas/Nothing does not exist; add Nothing to "components.schemas"',
    ],
    [
      'a $ref to a missing example',
      "$ref: '#/components/examples/MissingKey'",
      "$ref: '#/components/examples/Nothing'",
      "$ref: '#/components/examples/Nothing'",
      '"$ref" #/components/examples/Nothing does not exist; add Nothing to "components.examples"',
    ],
  ])('is rejected at start with its position: %s', (_, from, to, at, reason) => {
    const text = changed(from, to);
    expect(failureOf(text).message).toBe(`${file}:${place(text, at)} ${reason}.`);
  });

  it.each<[string, [string, string, string, string][]]>([
    [
      'what OpenAPI does not define',
      [
        [
          '      operationId: listPets',
          '      operatoinId: listPets',
          'operatoinId',
          '"operatoinId" is not a member of an operation; remove it, or let its name begin with "x-"',
        ],
        ['            maximum: 100', '            maximum: many', 'many', '"maximum" must be a number'],
        ['  schemas:\n', '  links: {}\n  schemas:\n', 'links', '"links" is not supported; remove them'],
      ],
    ],
    [
      'what contradicts itself',
      [
        ['default: 20', 'default: 200', '200\n', 'the default must be an integer from 1 to 100'],
        [
          'name:\n          type: string\n',
          'name:\n          type: string\n          default: 5000\n',
          '5000',
          'the default must be a string',
        ],
        [
          'format: int64\n        status',
          'format: int64\n          default: 2.5\n        status',
          '2.5',
          'the default must be an integer from -9223372036854775808 to 9223372036854775807',
        ],
        [
          'format: int64\n      responses',
          'format: int64\n            default: 1\n      responses',
          'default: 1\n',
          '"default" of a parameter in the path is not supported; remove it',
        ],
      ],
    ],
  ])('is rejected at start with every violation: %s', (_, edits) => {
    const text = edits.reduce((edited, [from, to]) => edited.replace(from, () => to), CONTRACT);
    const lines = edits.map(([, , at, reason]) => `${file}:${place(text, at)} ${reason}.`);
    expect(failureOf(text).message).toBe(lines.join('\n'));
  });

  it('is rejected at once when many of its schemas contain one another', () => {
    const names = Array.from({ length: 8 }, (_, index) => `Part${index}`);
    const members = names.map((name) => `        ${name}: { $ref: '#/components/schemas/${name}' }\n`).join('');
    const schemas = names.map((name) => `    ${name}:\n      type: object\n      properties:\n${members}`).join('');
    const text = changed('  schemas:\n', `  schemas:\n${schemas}`);
    const lines = names.map((name) => {
      const [line, column] = place(text, `    ${name}:\n      type`).split(':').map(Number);
      return `${file}:${line! + 1}:${column! + 6} recursive schemas are not supported.`; // Both are numbers.
    });
    const begun = performance.now();
    expect(failureOf(text).message).toBe(lines.join('\n'));
    // Without memory of what failed, it takes five seconds or more, and eight times as long for each further schema.
    expect(performance.now() - begun).toBeLessThan(2000);
  });

  it.each<[string, string, string]>([
    ['an empty file', '', ''],
    ['text', 'Pet Store', 'Pet Store'],
    ['a list', '- openapi: 3.0.3\n', '- openapi'],
    [
      'an empty map of responses',
      changed('      responses:\n', '      responses:\n      x-responses:\n'),
      'responses:\n      x-responses',
    ],
    ['an invalid URL', changed('default: /v1', 'default: http://'), "url: '{base_url}'"],
  ])('is rejected at start with a position and a reason: %s', (_, text, at) => {
    const { message } = failureOf(text);
    const [line] = place(text, at).split(':');
    expect(message.replace(`${file}:${line}:`, '')).toMatch(/^\d+ .+\.$/);
  });

  it.each([
    ['missing', join(directory, 'nothing.yaml'), 'ENOENT'],
    ['a directory', directory, 'EISDIR'],
  ])('is rejected at start when the file is %s', (_, path, code) => {
    expect(() => readContract(path)).toThrow(
      new StartError(`The contract ${path} cannot be read (${code}); provide a readable file.`),
    );
  });
});

describe('the operations of the contract and the handlers', () => {
  @Controller('dogs')
  class DogsController {
    @Get()
    list(): void {}
  }

  @Controller('pets')
  class OtherPetsController {
    @Get()
    listAgain(): void {}
  }

  @Controller('pets')
  class GreedyController {
    @All('*rest')
    take(): void {}
  }

  @Controller('pets')
  class DifferentController {
    @Get(':id')
    get(): void {}
  }

  @Controller('pets')
  class AcceptingController {
    @Post()
    @HttpCode(202)
    accept(): void {}
  }

  @Controller('pets')
  class MissingController {
    @Get()
    @ErrorResponses(400, 404)
    find(): void {}
  }

  @ErrorResponses(404)
  @Controller('pets')
  class DocumentedController {
    @Get()
    find(): void {}
  }

  @Controller('pets')
  class WritingController {
    @Get()
    write(@Res() response: Response): void {
      response.json([]);
    }
  }

  @Controller({ path: 'pets', scope: Scope.REQUEST })
  class ScopedController extends WritingController {}

  @Controller('pets')
  class PassingController {
    @Get()
    pass(@Next() _next: NextFunction): object[] {
      return [];
    }
  }

  @Controller('pets')
  class EventsController {
    @Sse()
    follow(): Observable<MessageEvent> {
      return of({ data: [] });
    }
  }

  @Controller('pets')
  class RenderingController {
    @Get()
    @Render('pets')
    show(): object {
      return {};
    }
  }

  @Controller({ path: 'pets', version: '2' })
  class VersionedController {
    @Get()
    list(): void {}
  }

  @Controller({ path: 'pets', host: 'pets.test' })
  class HostedController {
    @Get()
    list(): void {}
  }

  @Controller('pets')
  class VersionedMethodController {
    @Get()
    @Version(['1', '2'])
    list(): void {}
  }

  @Controller({ path: 'pets', version: '2' })
  class NeutralController {
    @Get()
    @Version(VERSION_NEUTRAL)
    list(): void {}
  }

  @Controller('secrets')
  class SecretsController {
    @Get()
    list(): void {}
  }

  @Module({ controllers: [SecretsController] })
  class SecretsModule {}

  @Module({})
  class PassingOnModule {}

  @Module({ imports: [{ module: PassingOnModule, imports: [SecretsModule] }] })
  class ImportingModule {}

  @Global()
  @Module({ controllers: [SecretsController] })
  class GlobalModule {}

  @Module({ imports: [GlobalModule] })
  class ImportingGlobalModule {}

  it('names file and line of a module that only a feature imports', async () => {
    const [serviceFeature] = SERVICE_FEATURES as [Type];
    @Module({ imports: [serviceFeature] })
    class ImportingFeatureModule {}

    await expect(startApp({}, { features: [ImportingFeatureModule] })).rejects.toThrow(
      RegExp(`^src/\\S+\\.module\\.ts:\\d+ ${serviceFeature.name} has controllers, but only a feature imports it, `),
    );
  });

  it.each<[string, StartOptions, string]>([
    ...(
      [
        ['a module', ImportingModule, SecretsModule],
        ['a global module', ImportingGlobalModule, GlobalModule],
      ] as const
    ).map(([what, importing, { name }]): [string, StartOptions, string] => [
      `a controller of ${what} that only a feature imports, which would need no key`,
      { features: [...FEATURES, importing] },
      `${name} has controllers, but only a feature imports it, so that their paths are outside the contract and need no key; add it to FEATURES in src/app.module.ts, or give it a path with RouterModule.`,
    ]),
    ...(
      [
        ['controller', VersionedController],
        ['handler', VersionedMethodController],
      ] as const
    ).map(([what, controller]): [string, StartOptions, string] => [
      `a ${what} with a version, which would be ignored`,
      { features: [feature(controller)] },
      `FILE:1:1 ${controller.name}.list has a version, but openapi.yaml declares listPets at /v1/pets for all versions; remove it, and declare another version as a path of its own.`,
    ]),
    [
      'a controller with a host, without a declared 404',
      { features: [feature(HostedController)] },
      'FILE:1:1 the controller of HostedController.list names a host, and listPets responds to requests for another one with 404; declare 404 here, or remove the host there.',
    ],
    ...VERSIONINGS.map((versioning): [string, StartOptions, string] => [
      `a default version of handlers: ${JSON.stringify(versioning)}`,
      { prepare: (app) => void app.enableVersioning(versioning) },
      'Versions in headers and media types are not supported, because openapi.yaml does not declare them; remove them from app.enableVersioning(), and declare another version as a path of its own.',
    ]),
    [
      'a handler that writes its response itself',
      { features: [feature(WritingController)] },
      'FILE:1:1 WritingController.write takes @Res() or @Next(), so that nothing checks or sends the response of listPets; return the body or throw an error, and use "@Res({ passthrough: true })" for the rest.',
    ],
    [
      'a handler for each request that writes its response itself',
      { features: [feature(ScopedController)] },
      'FILE:1:1 ScopedController.write takes @Res() or @Next(), so that nothing checks or sends the response of listPets; return the body or throw an error, and use "@Res({ passthrough: true })" for the rest.',
    ],
    [
      'a handler that takes @Next(), which Nest expects it to call',
      { features: [feature(PassingController)] },
      'FILE:1:1 PassingController.pass takes @Res() or @Next(), so that nothing checks or sends the response of listPets; return the body or throw an error, and use "@Res({ passthrough: true })" for the rest.',
    ],
    [
      'a handler that renders a template',
      { features: [feature(RenderingController)] },
      'FILE:1:1 RenderingController.show renders a template, which is not supported; return the text that listPets declares.',
    ],
    [
      'a handler that sends events where JSON is declared',
      { features: [feature(EventsController)] },
      'FILE:1:1 EventsController.follow sends events, which openapi.yaml does not declare for listPets; declare text/event-stream for its status 200.',
    ],
    [
      'a handler with an undeclared status',
      { features: [feature(AcceptingController)] },
      'FILE:1:1 AcceptingController.accept responds with 202, which openapi.yaml does not declare for createPet; declare the status there.',
    ],
    [
      'a handler with an undeclared error',
      { features: [feature(MissingController)] },
      'FILE:1:1 MissingController.find responds with 404, which openapi.yaml does not declare for listPets; declare the status there.',
    ],
    [
      'a controller with an undeclared error',
      { features: [feature(DocumentedController)] },
      'FILE:1:1 DocumentedController.find responds with 404, which openapi.yaml does not declare for listPets; declare the status there.',
    ],
    [
      'operations without a handler beside one for all versions',
      { features: [feature(NeutralController)] },
      'FILE:1:1 No controller handles createPet (POST /v1/pets), getPet (GET /v1/pets/{petId}); add a handler, or remove the operation here.',
    ],
    [
      'operations without a handler',
      { features: [] },
      'FILE:1:1 No controller handles listPets (GET /v1/pets), createPet (POST /v1/pets), getPet (GET /v1/pets/{petId}); add a handler, or remove the operation here.',
    ],
    [
      'a prefix of all controllers, which the contract lacks',
      { prepare: (app) => void app.setGlobalPrefix('api') },
      'FILE:1:1 listPets is handled at /api/v1/pets instead of /v1/pets; remove the prefix /api from the code, and put it into the URL of "servers" here.',
    ],
    [
      'a handler without an operation',
      { features: [...FEATURES, feature(DogsController)] },
      'FILE:1:1 DogsController.list handles GET /v1/dogs, which is not declared here; declare it, or remove the handler.',
    ],
    [
      'a handler for all other paths',
      { features: [...FEATURES, feature(GreedyController)] },
      'FILE:1:1 GreedyController.take handles ALL /v1/pets/*rest, which no operation can have; use GET, PUT, POST, DELETE, PATCH.',
    ],
    [
      'a handler with another name for a parameter',
      { features: [feature(DifferentController), ...FEATURES] },
      'FILE:1:1 DifferentController.get handles GET /v1/pets/:id, which is not declared here; declare it, or remove the handler.',
    ],
    [
      'two handlers for one operation',
      { features: [...FEATURES, feature(OtherPetsController)] },
      'FILE:1:1 OtherPetsController.listAgain and PetsController.list both handle GET /v1/pets; remove one of them.',
    ],
    [
      'a route of the adapter without an operation',
      { prepare: (app) => void app.getHttpAdapter().get('/v1/cats', function listCats() {}) },
      'FILE:1:1 listCats handles GET /v1/cats, which is not declared here; declare it, or remove the handler.',
    ],
    ...[
      '/v1/pets',
      '/V1/pets',
      '/v1{/pets}',
      '/v1/*rest',
      '/:version/pets',
      '{/v1}/pets',
      /pets/,
      ['/a', '/v1/pets'],
    ].map((path): [string, StartOptions, string] => [
      `the route ${String(path)} of Express, before which no guard would run`,
      { prepare: (app) => void app.getHttpAdapter().getInstance().get(path, NO_HANDLER) },
      `The route ${String(path)} of Express may match operations of the contract, for which it would not run, or run without the guards; use a controller, or a path whose first segment is not that of /v1.`,
    ]),
    [
      'a pattern of the adapter that matches operations, before which no guard would run',
      { prepare: (app) => void app.getHttpAdapter().get('/:version/pets', NO_HANDLER) },
      'The route /:version/pets of Express may match operations of the contract, for which it would not run, or run without the guards; use a controller, or a path whose first segment is not that of /v1.',
    ],
    [
      'a function of the adapter that handles an operation, before which no guard would run',
      { prepare: (app) => void app.getHttpAdapter().get('/v1/pets', function listPets() {}) },
      'FILE:1:1 listPets is registered at the HTTP adapter for listPets (GET /v1/pets), so that no guard would run; use a method of a controller.',
    ],
  ])('prevent the start when they differ: %s', async (_, options, message) => {
    expect(withoutPlace(await startErrorOf(options))).toEqual(new StartError(message));
  });

  it.each(Object.values(RequestMethod).filter((name) => typeof name === 'string'))(
    'prevent the start when a handler has no operation: %s',
    async (method) => {
      @Controller('cats')
      class CatsController {
        @RequestMapping({ method: RequestMethod[method as keyof typeof RequestMethod] })
        handle(): void {}
      }
      const reason = REASONS[method] ?? 'no operation can have; use GET, PUT, POST, DELETE, PATCH';
      const message = `FILE:1:1 CatsController.handle handles ${method} /v1/cats, which ${reason}.`;
      const error = await startErrorOf({ features: [...FEATURES, feature(CatsController)] });
      expect(withoutPlace(error)).toEqual(new StartError(message));
    },
  );

  /** A controller of createPet with these decorators, and a contract with these statuses in place of its 201. */
  function starting(decorators: MethodDecorator[], statuses: readonly number[]): StartOptions {
    @Controller('pets')
    class StatusController {
      handle(): void {}
    }
    const { prototype } = StatusController;
    const method = Object.getOwnPropertyDescriptor(prototype, 'handle')!;
    for (const decorate of [Post(), ...decorators]) decorate(prototype, 'handle', method);
    const responses = statuses.map((status) => `        '${status}':\n          description: Done.\n`).join('');
    writeFileSync(file, CONTRACT.replace(/ {8}'201':\n[^]*?(?= {8}'400':)/, responses));
    @Controller('pets')
    class ReadingController {
      @Get()
      list(): unknown[] {
        return [];
      }

      @Get(':petId')
      get(): void {}
    }
    return { contractFile: file, features: [feature(StatusController), feature(ReadingController)] };
  }

  it.each<[string, MethodDecorator[], number[], string, string]>([
    ['the default', [], [204], 'responds with 201 by default', 'add @HttpCode(204)'],
    [
      'the default, with several others',
      [],
      [200, 204],
      'responds with 201 by default',
      'add @HttpCode with one that it declares',
    ],
    ['of a redirection', [Redirect('/v1/pets', 301)], [201, 302], 'redirects with 301', 'give @Redirect 302'],
    [
      'the default of a redirection',
      [Redirect('/v1/pets')],
      [303, 307],
      'redirects with 302',
      'give @Redirect one that it declares',
    ],
    [
      'of a redirection that @HttpCode does not change',
      [Redirect('/v1/pets'), HttpCode(201)],
      [201, 303],
      'redirects with 302',
      'give @Redirect 303',
    ],
  ])('prevent the start when a status is not declared: %s', async (_, decorators, statuses, response, remedy) => {
    const message = `FILE:1:1 StatusController.handle ${response}, which openapi.yaml does not declare for createPet; declare the status there, or ${remedy}.`;
    expect(withoutPlace(await startErrorOf(starting(decorators, statuses)))).toEqual(new StartError(message));
  });

  it.each<[string, MethodDecorator[], number[]]>([
    ['of @HttpCode instead of the default', [HttpCode(204)], [204]],
    ['of @Redirect instead of the default', [Redirect('/v1/pets', 303)], [303]],
    ['the default of @Redirect', [Redirect('/v1/pets')], [302]],
    ['only of errors, which the handler throws', [], []],
  ])('do not prevent a start when the status is declared: %s', async (_, decorators, statuses) => {
    await expect(startApp({}, starting(decorators, statuses))).resolves.toBeDefined();
  });

  it.each(['head', 'options', 'trace'])('prevent the start when an operation is declared for %s', async (method) => {
    const text = changed('  /pets:\n', `  /pets:\n    ${method}:\n      operationId: extraPets\n      responses: {}\n`);
    writeFileSync(file, text);
    expect((await startErrorOf({ contractFile: file })).message).toMatch(/extraPets|openapi\.yaml:\d+:\d+/);
  });

  it('do not prevent a start after a failed one', async () => {
    await startErrorOf({ features: [] });
    const { api } = await startApp({}, { contractFile: EXAMPLE, features: FEATURES });
    expect((await api.get('/v1/pets')).json).toEqual([]);
  });
});
