import type { Type } from '@nestjs/common';
import { RouteParamtypes } from '@nestjs/common/internal';
import type { RequestHandler } from 'express';
import type { DeclaredField, DeclaredFields } from '../../contract/requests/declared-fields.js';
import { StartError } from '../../process/start-error.js';
import { isDto, ruledMembersOf } from '../../validation/own-fields.js';
import { assertClass, isMade } from '../dtos/taken-classes.js';
import { assertNamed, assertTakes } from '../dtos/taken-members.js';
import {
  assertDigits,
  assertDtoFits,
  assertFits,
  assertForm,
  assertFurtherDigits,
  assertItemDigits,
} from '../dtos/taken-values.js';
import { assertMilliseconds } from '../dtos/taken-times.js';
import type { Taker } from '../dtos/taker.js';
import type { OperationRoute } from '../request/operation-route.js';
import { assertNamesDeclared } from './declared-names.js';
import { type HandlerParameter, handlerOf } from './handler-parameters.js';
import { assertPipes, itemsOf, makesDate, makesNumber, takesNull } from './handler-pipes.js';

/**
 * Throws a StartError for a declared member or parameter that the DTO of the handler lacks, at any depth, because it
 * would be dropped, and for one that the handler takes with a type that its value does not have. A handler without a
 * DTO may read the values that it does not name from the request, or with a decorator of its own.
 */
export function assertTaken(handler: RequestHandler, route: OperationRoute): void {
  const described = handlerOf(handler);
  assertPipes(handler.name, route.position, described);
  const { parameters } = described;
  const mayGainMembers = described.isWrapped();
  for (const parameter of parameters) assertIsRead(handler.name, route.position, parameter, described.isHosted);
  const mayReadMore = parameters.some(({ kind }) => Number.isNaN(kind) || kind === RouteParamtypes.REQUEST);
  for (const place of placesOf(route)) {
    const ofKind = parameters.filter(({ kind }) => place.kinds.includes(kind));
    const members = ofKind.filter(({ member }) => member !== undefined);
    const others = ofKind.filter(({ member }) => member === undefined);
    const wholes = others.map(({ type }) => type);
    for (const parameter of members) assertTypes(handler.name, place, parameter, mayGainMembers);
    const { whole } = place.declared;
    if (whole) for (const parameter of others) assertWhole(handler.name, whole, parameter);
    if (place.form !== 'text') for (const parameter of others) assertWholeClass(handler.name, place, parameter);
    const dtos = wholes.filter(isDto);
    if (place.form === 'text') assertNoRules(handler.name, place, others);
    if (place.form === 'path') {
      assertRefusable(handler.name, route, dtos);
      if (!mayReadMore && others.length === 0) assertInPath(handler.name, route, members);
    }
    if (place.kinds.includes(BODY) && ofKind.length > 0) assertBody(handler.name, route);
    // A parameter without rules takes everything.
    if (place.form === 'text' || ofKind.length === 0 || dtos.length < wholes.length) continue;
    const names = [...wholes.flatMap(ruledMembersOf), ...members.map(({ member }) => member as string)];
    for (const dto of dtos) {
      assertTakes(dto, place.declared, { also: names, isText: place.form === 'path', mayGainMembers });
    }
    if (dtos.length > 0 || mayReadMore || place.form === 'path') continue;
    assertNamed(`${handler.name} does not take it; add it there`, new Set(names), place.declared);
  }
  assertNamesDeclared(handler.name, route, parameters, mayGainMembers);
}

interface Place {
  readonly kinds: readonly RouteParamtypes[];
  readonly declared: DeclaredFields;
  /** `value`: read by its schema. `path`: text that Nest converts to the type of a parameter. `text`: always text. */
  readonly form: 'value' | 'path' | 'text';
  /** Where the operation is declared. */
  readonly position: string;
}

const { BODY, QUERY, PARAM, HEADERS, COOKIES, SIGNED_COOKIES, RAW_BODY, FILE, FILES, HOST, SESSION } = RouteParamtypes;

/** Every operation reads a body as JSON, and keeps only its value. */
const NEVER_READ = new Map([
  [RAW_BODY, '@RawBody()'],
  [FILE, '@UploadedFile()'],
  [FILES, '@UploadedFiles()'],
]);

/** What guards, interceptors and middleware may set, but the service does not. */
const SET_BY_FEATURES = new Map([
  [SESSION, '@Session(), which is always undefined because nothing sets request.session; set it'],
  [
    SIGNED_COOKIES,
    '@SignedCookies(), which always fails because nothing sets request.signedCookies; take @Cookies() instead, set it',
  ],
]);

function placesOf(route: OperationRoute): Place[] {
  const { position } = route;
  return [
    { kinds: [PARAM], declared: route.pathFields, form: 'path', position },
    { kinds: [HEADERS], declared: route.headerFields, form: 'text', position },
    { kinds: [COOKIES, SIGNED_COOKIES], declared: route.cookieFields, form: 'text', position },
    { kinds: [BODY], declared: route.bodyFields, form: 'value', position },
    { kinds: [QUERY], declared: route.queryFields, form: 'value', position },
  ];
}

function assertTypes(
  handler: string,
  { kinds, declared, form, position }: Place,
  parameter: HandlerParameter,
  mayGainMembers: boolean,
): void {
  const { member, type, pipes, isPiped } = parameter;
  const name = member as string;
  const isHeader = kinds.includes(HEADERS);
  const field = declared.named.get(isHeader ? name.toLowerCase() : name);
  const taker = { place: handler, name, isText: form !== 'value', isHeader };
  if (field) {
    if (form === 'value') assertTakesAs(taker, field, parameter);
    if (isDto(type)) assertTakes(type, field.inside(), { mayGainMembers });
    // A header stays text.
    if (!isHeader) assertDigits(taker, field, makesNumber(pipes) ? Number : type);
    if (!isHeader && makesDate(pipes)) assertMilliseconds(taker, field);
  }
  const isText = form === 'text' || (form === 'path' && type === String);
  const types = isText ? ['string'] : (field?.types ?? []);
  if (!isPiped) assertFits(taker, field?.position ?? position, types, type);
  if (field || isText) assertClass(taker, field?.position ?? position, types, parameterClass(parameter));
}

/** A value that the contract has read is an object for a DTO, and a list for the items of a pipe. */
function assertTakesAs(taker: Taker, field: DeclaredField, { type, pipes, isPiped }: HandlerParameter): void {
  if (isDto(type)) assertDtoFits(taker, field, type, { isList: itemsOf(pipes) === type, takesNull: takesNull(pipes) });
  else if (!isPiped) {
    assertItemDigits(taker, field, type);
    assertFurtherDigits(taker, field, type);
    assertForm(taker, field.position, field.types, type);
  }
}

function assertWhole(handler: string, whole: DeclaredField, parameter: HandlerParameter): void {
  const { type, isPiped } = parameter;
  const taker = { place: handler, name: 'the body', isText: false };
  assertTakesAs(taker, whole, parameter);
  assertDigits(taker, whole, type);
  if (!isPiped) assertFits(taker, whole.position, whole.types, type);
}

function assertWholeClass(handler: string, { kinds, declared, position }: Place, parameter: HandlerParameter): void {
  const { whole } = declared;
  const name = kinds.includes(BODY) ? 'the body' : kinds.includes(QUERY) ? 'the query' : 'the path';
  const taker = { place: handler, name, isText: false };
  assertClass(taker, whole?.position ?? position, whole?.types ?? ['object'], parameterClass(parameter));
}

function parameterClass({ type, pipes, isPiped }: HandlerParameter) {
  return { type, isPiped, isOfItems: itemsOf(pipes) === type };
}

function assertIsRead(handler: string, position: string, { kind, member }: HandlerParameter, isHosted: boolean): void {
  if (kind === HOST && member !== undefined && !isHosted) {
    throw new StartError(
      `${position} ${handler} takes @HostParam(${JSON.stringify(member)}), which is always undefined because its controller names no host; name one in @Controller(), or remove the parameter.`,
    );
  }
  const decorator = NEVER_READ.get(kind);
  if (decorator === undefined) return;
  throw new StartError(
    `${position} ${handler} takes ${decorator}, which is always undefined because an operation reads its body as JSON only; take the body with @Body(), or remove the parameter.`,
  );
}

/** Throws a StartError for what only middleware would set. Call where there is none. */
export function assertSet(handler: RequestHandler, { position }: OperationRoute): void {
  const { parameters, routes, isWrapped } = handlerOf(handler);
  // Two are the service's own.
  if (isWrapped() || routes.some(({ guards }) => guards().length > 2)) return;
  const words = parameters.map(({ kind }) => SET_BY_FEATURES.get(kind)).find((one) => one !== undefined);
  if (words === undefined) return;
  throw new StartError(
    `${position} ${handler.name} takes ${words} in middleware, a guard or an interceptor, or remove the parameter.`,
  );
}

/** An operation that declares no body reads none. */
function assertBody(handler: string, { position, requestBody }: OperationRoute): void {
  if (requestBody) return;
  throw new StartError(
    `${position} ${handler} takes a body, which this operation does not declare; declare it here, or remove the parameter.`,
  );
}

/** A guard may set further parameters. But if a handler takes one of them and misses one of the path, the name is wrong. */
function assertInPath(
  handler: string,
  { path, pathFields, position }: OperationRoute,
  members: readonly HandlerParameter[],
): void {
  const taken = members.map(({ member }) => member as string);
  const other = taken.find((name) => !pathFields.named.has(name));
  const missed = [...pathFields.named.keys()].find((name) => !taken.includes(name));
  if (other === undefined || missed === undefined) return;
  throw new StartError(
    `${position} ${handler} takes the path parameter "${other}", but ${path} has "${missed}" instead; give it that name.`,
  );
}

/** A path that breaks a rule of its DTO is answered with 404 or 400, even where its schema accepts any text. */
function assertRefusable(handler: string, { position, responses }: OperationRoute, [dto]: readonly Function[]): void {
  if (!dto || responses.has(404) || responses.has(400)) return;
  throw new StartError(
    `${position} ${handler} takes the path as ${dto.name}, whose rules a path can break; declare 404, or 400, here.`,
  );
}

/** Nest runs no pipes for headers. Pipes see cookies as values of a custom decorator, which the DTO pipe ignores. */
function assertNoRules(handler: string, { kinds, position }: Place, others: readonly HandlerParameter[]): void {
  const made = others.find(({ type, isPiped }) => isDto(type) || (!isPiped && isMade(type)));
  if (!made) return;
  const type = made.type as Type<object>;
  const place = kinds.includes(HEADERS) ? 'headers' : 'cookies';
  const reason = isDto(type) ? 'whose rules would not run' : 'whose decorators and methods they would lack';
  throw new StartError(
    `${position} ${handler} takes the ${place} as ${type.name}, ${reason}; take each with a parameter of its own.`,
  );
}
