import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { CallHandler, ExecutionContext } from '@nestjs/common';
import { InterceptorsConsumer } from '@nestjs/core/interceptors/interceptors-consumer.js';
import type { Contract } from '../../../src/platform/contract/contract.js';
import { CONTRACT } from '../../../src/platform/contract/contract.token.js';
import { type OperationObject, readOpenApi } from '../../contract/open-api.js';
import { startApp, type StartOptions } from '../../support/start-app.js';

/** The first example of the body of an operation: Nest's handler starts only for a valid one. */
function exampleOf(operationId: string): unknown {
  const operations = Object.values(readOpenApi().paths).flatMap((path) => Object.values(path)) as OperationObject[];
  const operation = operations.find((candidate) => candidate.operationId === operationId);
  const { example, examples = {} } = operation!.requestBody!.content!['application/json']! as Examples;
  return example ?? Object.values(examples)[0]?.value;
}

interface Examples {
  readonly example?: unknown;
  readonly examples?: Record<string, { readonly value: unknown }>;
}

/** The operations that Nest's own handler serves. It calls the interceptors even when a route has none. */
async function servedByNest(options: StartOptions = {}): Promise<{ served: string[]; all: string[] }> {
  const { app, api } = await startApp({}, options);
  const { operations } = app.get<Contract>(CONTRACT);
  const intercept = jest.spyOn(InterceptorsConsumer.prototype, 'intercept');
  const served: string[] = [];
  for (const { id, method, path, requestBody } of operations) {
    intercept.mockClear();
    await api.request(method, path.replaceAll(/\{\w+\}/g, '1'), requestBody ? { body: exampleOf(id) } : {});
    if (intercept.mock.calls.length > 0) served.push(id);
  }
  return { served, all: operations.map(({ id }) => id) };
}

describe('the operations of the contract', () => {
  afterEach(() => void jest.restoreAllMocks());

  // Another group may need what only Nest's own handler does.
  it.each(['listPets', 'createPet', 'getPet'])('uses the synchronous handler: %s', async (id) => {
    expect((await servedByNest()).served).not.toContain(id);
  });

  it("are all served by Nest's own handler when there is an interceptor", async () => {
    const passThrough = { intercept: (_: ExecutionContext, next: CallHandler<object>) => next.handle() };
    const { served, all } = await servedByNest({ prepare: (app) => void app.useGlobalInterceptors(passThrough) });
    expect(served).toEqual(all);
  });
});
