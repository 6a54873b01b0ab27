import {
  DefaultValuePipe,
  HttpException,
  ParseArrayPipe,
  ParseBoolPipe,
  ParseDatePipe,
  ParseEnumPipe,
  ParseFloatPipe,
  ParseIntPipe,
  ParseUUIDPipe,
  type PipeTransform,
  type Type,
  ValidationPipe,
} from '@nestjs/common';
import { RouteParamtypes } from '@nestjs/common/internal';
import type { RequestHandler } from 'express';
import { isDeepStrictEqual } from 'node:util';
import type { DeclaredField } from '../../contract/requests/declared-fields.js';
import { StartError } from '../../process/start-error.js';
import { isDto } from '../../validation/own-fields.js';
import { show } from '../dtos/conversion-samples.js';
import { samplesOf, textsOf } from '../dtos/sample-values.js';
import type { OperationRoute } from '../request/operation-route.js';
import { type HandlerParameter, handlerOf } from './handler-parameters.js';
import { itemsOf } from './handler-pipes.js';
import { assertItemsKept } from './tried-items.js';

const { BODY, QUERY, PARAM, COOKIES } = RouteParamtypes;

/** What these return depends on nothing but the value. */
const STOCK = new Set<unknown>([
  DefaultValuePipe,
  ParseArrayPipe,
  ParseBoolPipe,
  ParseDatePipe,
  ParseEnumPipe,
  ParseFloatPipe,
  ParseIntPipe,
  ParseUUIDPipe,
]);

/** A parameter that one decorator names, with what the contract declares of it. */
interface Piped {
  readonly handler: string;
  readonly name: string;
  /** As TypeScript emits it. */
  readonly type: unknown;
  readonly parameter: HandlerParameter;
  readonly field: DeclaredField;
  /** The statuses with which its pipes may refuse a value; undefined where others may answer instead. */
  readonly statuses?: ReadonlySet<number>;
}

/**
 * Throws a StartError for pipes of Nest that refuse what the contract accepts: a parameter that is not sent, null, and the
 * values that it names. Pipes of the application may depend on what it knows only later.
 */
export async function assertPipesAccept(handler: RequestHandler, route: OperationRoute): Promise<void> {
  const { parameters, mayAnswerErrors } = handlerOf(handler);
  const statuses = mayAnswerErrors() ? undefined : new Set(route.responses.keys());
  for (const parameter of parameters) {
    const { member, pipes, allPipes } = parameter;
    // A pipe for lists names the type of the items.
    const type = itemsOf(pipes) ? undefined : parameter.type;
    const field = fieldOf(parameter, route);
    if (!field || allPipes.length === 0 || isDto(type)) continue;
    const piped = {
      handler: handler.name,
      name: typeof member === 'string' ? member : 'the body',
      type,
      parameter,
      field,
      statuses,
    };
    assertDefaultActs(piped);
    await assertSeesSent(piped);
    await assertTried(piped);
  }
}

function fieldOf({ kind, member }: HandlerParameter, route: OperationRoute): DeclaredField | undefined {
  if (kind === BODY && member === undefined) return route.bodyFields.whole;
  const declared = {
    [BODY]: route.bodyFields,
    [QUERY]: route.queryFields,
    [PARAM]: route.pathFields,
    [COOKIES]: route.cookieFields,
  } as Partial<Record<RouteParamtypes, OperationRoute['bodyFields']>>;
  return declared[kind]?.named.get(member as string);
}

/** The contract's default is filled in before the pipes run. */
function assertDefaultActs({ handler, name, parameter, field }: Piped): void {
  const [declared] = field.defaults;
  // The pipe acts on null.
  if (declared === undefined || field.acceptsNull()) return;
  for (const pipe of parameter.allPipes) {
    const { defaultValue } = pipe as { defaultValue?: unknown };
    if (!(pipe instanceof DefaultValuePipe) || isDeepStrictEqual(defaultValue, declared)) continue;
    throw new StartError(
      `${field.position} the default of ${name} is ${show(declared)} here, so that ${show(defaultValue)} of the DefaultValuePipe of ${handler} never acts; remove the pipe, or the default here.`,
    );
  }
}

/** Nest makes a boolean or a number of the text of a query or path, before its pipes run. */
async function assertSeesSent({ handler, name, type, parameter, field }: Piped): Promise<void> {
  const { kind, allPipes } = parameter;
  if (kind === BODY || kind === COOKIES || (type !== Boolean && type !== Number)) return;
  const fitting = type === Boolean ? ['boolean'] : ['integer', 'number'];
  const other = field.types.find((one) => !fitting.includes(one));
  // Those that read numbers refuse what is none.
  const isRead = type === Number && allPipes.every((pipe) => isStock(pipe) && !(pipe instanceof DefaultValuePipe));
  if (other === undefined || (other === 'string' && isRead)) return;
  const texts = [...field.values, ...textsOf(field)].map(String);
  const kept = await Promise.all(texts.map(async (text) => String(await converted(type, text)) === text));
  if (other === 'string' && kept.every(Boolean)) return;
  throw new StartError(
    `${field.position} ${name} is of the type ${other} here, but ${handler} takes it as ${(type as Function).name}, which Nest makes of it before its pipes run; give the parameter another type there, such as unknown.`,
  );
}

const NEST = new ValidationPipe({ transform: true });

/** What Nest makes of a value of a query or path before the pipes of the parameter run. */
async function converted(type: unknown, value: unknown): Promise<unknown> {
  return type === Boolean || type === Number
    ? await NEST.transform(value, { type: 'query', data: 'value', metatype: type as Type })
    : value;
}

async function assertTried({ handler, name, type, parameter, field, statuses }: Piped): Promise<void> {
  const { kind, allPipes } = parameter;
  const end = allPipes.findIndex((pipe) => !isStock(pipe));
  const stock = allPipes.slice(0, end < 0 ? undefined : end) as PipeTransform[];
  const errorOf = async (value: unknown): Promise<unknown> => {
    // A handler reads the text of a path and of a cookie.
    const isText = kind === PARAM || (kind === COOKIES && value !== undefined);
    let arrives = isText ? String(value) : value;
    if (kind !== BODY && kind !== COOKIES) arrives = await converted(type, arrives);
    try {
      for (const pipe of stock) arrives = await pipe.transform(arrives, { type: 'custom' });
      return undefined;
    } catch (error) {
      return error;
    }
  };
  await assertItemsKept({ handler, name, kind, field, stock });
  const refuses = async (value: unknown) => (await errorOf(value)) !== undefined;
  const refusal = (words: string, advice: string) =>
    new StartError(
      `${field.position} ${name} ${words} here, but ${namesOf(stock)} of ${handler} refuses that; ${advice}.`,
    );
  const optional = 'give it { optional: true } or put a DefaultValuePipe before it there';
  const isUnsent = kind !== PARAM && !field.isRequired && field.defaults.length === 0;
  if (isUnsent && (await refuses(undefined))) throw refusal('may be missing', `${optional}, or require it here`);
  if (kind === BODY && field.acceptsNull() && (await refuses(null)))
    throw refusal('may be null', `${optional}, or forbid null here`);
  const assertDeclared = async (value: unknown) => {
    const error = await errorOf(value);
    if (!statuses || !(error instanceof HttpException) || statuses.has(error.getStatus())) return;
    throw new StartError(
      `${field.position} ${namesOf(stock)} of ${handler} refuses ${name} such as ${show(value)} with ${error.getStatus()}, which this operation does not declare; declare ${error.getStatus()} here, or take it with another pipe.`,
    );
  };
  // The rules of a DTO are tried by themselves, except those that depend on the time or on the application.
  if (isDto(itemsOf(stock))) return;
  for (const value of valuesFor(stock, field)) {
    if (await refuses(value)) throw refusal(`may be ${show(value)}`, 'take it with another pipe, or forbid that here');
  }
  const accepted = field.types.includes('string') ? textsOf({ ...field, types: ['string'] }) : [];
  for (const text of accepted) await assertDeclared(text);
  const texts = stock.some(isChoosing) ? [] : accepted;
  const [first] = texts;
  // Some texts may be refused; what refuses all of them is for others.
  for (const text of [...texts, ...UUIDS.filter(field.accepts)]) if (!(await refuses(text))) return;
  if (first !== undefined) throw refusal(`may be ${show(first)}`, 'take it with another pipe, or forbid that here');
}

function valuesFor(stock: readonly PipeTransform[], field: DeclaredField): unknown[] {
  const { types, values, bounds, factors, examples, defaults, accepts } = field;
  const isList = types.join() === 'array';
  const named = [...examples, ...defaults, ...(isList ? [] : values)];
  const chooses = stock.some(isChoosing);
  const others = chooses || isList ? [] : [...bounds, ...factors];
  const samples = chooses ? [] : ofEachType(field).flatMap(samplesOf);
  return [...named, ...others, ...samples].filter((one) => one !== null && accepts(one));
}

/** The same field with each of its types alone; of a list, with each type of its items. */
function ofEachType(field: DeclaredField): DeclaredField[] {
  const { types, itemTypes } = field;
  if (types.join() === 'array') return itemTypes.map((type) => ({ ...field, itemTypes: [type] }));
  return types.map((type) => ({ ...field, types: [type] }));
}

/** Whether a pipe may refuse most values between two bounds, or most texts. */
function isChoosing(pipe: unknown): boolean {
  return pipe instanceof ParseEnumPipe;
}

/** One of each version. */
const UUIDS = [1, 2, 3, 4, 5, 6, 7, 8].map((version) => `8e03978e-40d5-${version}3dd-bc93-6894a57f9324`);

function isStock(pipe: unknown): boolean {
  return STOCK.has((pipe as object).constructor);
}

function namesOf(stock: readonly PipeTransform[]): string {
  return stock.map(({ constructor }) => constructor.name).join(' and ');
}
