import { expect, it } from '@jest/globals';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { NamedToysController } from './toys/requests/named-toys.controller.js';
import { startToys } from './toys/start-toys.js';

/** How Nest names the parameter of a custom decorator: a random id before this. */
const CUSTOM = /^.*__customRouteArgs__/;

it('a custom decorator whose random id begins with the digit of @Res() does not take the response', async () => {
  const described = Reflect.getMetadata(ROUTE_ARGS_METADATA, NamedToysController, 'list') as Record<string, unknown>;
  const renamed = Object.entries(described).map(([key, value]) => [key.replace(CUSTOM, '1x$&'), value]);
  expect(renamed.some(([key]) => String(key).startsWith('1x'))).toBe(true);
  Reflect.defineMetadata(ROUTE_ARGS_METADATA, Object.fromEntries(renamed), NamedToysController, 'list');
  await expect(startToys()).resolves.toBeDefined();
});
