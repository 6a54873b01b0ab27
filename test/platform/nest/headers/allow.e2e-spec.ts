import { beforeAll, describe, expect, it } from '@jest/globals';
import { All, Controller, Delete, Get, Head, Module, Next, Post } from '@nestjs/common';
import { RouterModule } from '@nestjs/core';
import type { NextFunction, Request, Response } from 'express';
import { FEATURES } from '../../../../src/app.module.js';
import { methodNotAllowed, noResourceAt, outcome } from '../../../properties/outcome.js';
import { startApp, type StartedApp } from '../../../support/start-app.js';

@Controller()
class HooksController {
  @Get(':name')
  get(): object {
    return {};
  }

  @Post('list')
  add(): object {
    return {};
  }

  @Delete('*path')
  remove(@Next() next: NextFunction): void {
    next();
  }

  @Head('head/only')
  head(@Next() next: NextFunction): void {
    next();
  }

  @All('all/any')
  any(@Next() next: NextFunction): void {
    next();
  }
}

@Controller({ path: 'page', host: 'elsewhere.example' })
class ElsewhereController {
  @Get()
  get(): object {
    return {};
  }
}

/** Not a feature, and with a path of its own: outside the contract. */
@Module({ controllers: [HooksController] })
class HooksModule {}

@Module({ controllers: [ElsewhereController] })
class ElsewhereModule {}

@Module({
  imports: [
    HooksModule,
    ElsewhereModule,
    RouterModule.register([
      { path: 'hooks', module: HooksModule },
      { path: 'elsewhere', module: ElsewhereModule },
    ]),
  ],
})
class HooksFeature {}

const pass = (_: Request, __: Response, next: NextFunction): void => next();

describe.each([
  ['without middleware', undefined],
  ['with middleware', pass],
])('a path of a controller outside the contract, %s', (_, middleware) => {
  let api: StartedApp['api'];

  beforeAll(async () => {
    const prepare = (app: { use(handler: typeof pass): unknown }) => void (middleware && app.use(middleware));
    ({ api } = await startApp({}, { features: [...FEATURES, HooksFeature], prepare }));
  });

  it.each([
    ['/hooks/7', 'DELETE, GET, HEAD, OPTIONS'],
    ['/hooks/list', 'DELETE, GET, HEAD, OPTIONS, POST'],
    ['/hooks/list/', 'DELETE, GET, HEAD, OPTIONS, POST'],
    ['/hooks/7/8', 'DELETE, OPTIONS'],
  ])('allows the methods of all handlers that match it: %s', async (path, allow) => {
    const rejected = await api.request('PUT', path, { key: null });
    expect([outcome(rejected), rejected.header('allow')]).toEqual([methodNotAllowed('PUT', path, allow), allow]);
    const listed = await api.request('OPTIONS', path, { key: null });
    expect([listed.status, listed.text, listed.header('allow')]).toEqual([204, '', allow]);
  });

  it.each([
    ['DELETE', '/hooks/7'],
    ['GET', '/hooks/all/any'],
    ['PUT', '/hooks/all/any'],
  ])('does not exist when its handler passes the request on: %s %s', async (method, path) => {
    expect(outcome(await api.request(method, path, { key: null }))).toEqual(noResourceAt(path));
  });

  it('does not exist when its only handler, for HEAD, passes the request on', async () => {
    expect((await api.request('HEAD', '/hooks/head/only', { key: null })).status).toBe(404);
  });

  it.each(['GET', 'PUT', 'OPTIONS'])('does not exist for requests to another host: %s', async (method) => {
    const path = '/elsewhere/page';
    expect(outcome(await api.request(method, path, { key: null }))).toEqual(noResourceAt(path));
  });

  it.each(['PUT', 'OPTIONS'])('does not exist without a handler: %s', async (method) => {
    expect(outcome(await api.request(method, '/hook', { key: null }))).toEqual(noResourceAt('/hook'));
  });
});
