import {
  DefaultValuePipe,
  ParseArrayPipe,
  ParseDatePipe,
  ParseFloatPipe,
  ParseIntPipe,
  StandardSchemaValidationPipe,
  type Type,
  ValidationPipe,
  type ValidationPipeOptions,
} from '@nestjs/common';
import { RouteParamtypes } from '@nestjs/common/internal';
import { StartError } from '../../process/start-error.js';
import { DtoPipe } from '../../validation/dto.pipe.js';
import { KeepingNamesPipe } from '../../validation/keeping-names.pipe.js';
import { isDto } from '../../validation/own-fields.js';
import { type ModuleOf, providedBy } from './global-enhancers.js';

interface Piped {
  readonly pipes: readonly unknown[];
}

export interface PipedParameter extends Piped {
  /** The kind of a custom decorator is NaN. */
  readonly kind: number;
  /** As TypeScript emits it for decorators; for a list of a ParseArrayPipe, the class of its items. */
  readonly type: unknown;
  /** What `@Body({ schema })` and the like give to pipes. */
  readonly schema: unknown;
}

export interface PipedHandler extends Piped {
  readonly moduleOfPipe: ModuleOf;
  readonly parameters: readonly PipedParameter[];
}

/** The class of the items that a ParseArrayPipe makes. */
export function itemsOf(pipes: readonly unknown[]): Type<object> | undefined {
  return pipes.map((pipe) => optionsOf(pipe)?.items).find((items) => items !== undefined);
}

/** Lets the items of ParseArrayPipes keep the members whose names class-transformer drops, as a DTO does. */
export function keepNamesOfItems(pipes: readonly unknown[]): void {
  for (const pipe of pipes) {
    const options = optionsOf(pipe);
    if (!isDto(options?.items)) continue;
    // Nest declares this member protected. It makes its own pipe of the same options.
    const itemsPipe = new KeepingNamesPipe({ transform: true, validateCustomDecorators: true, ...options });
    Object.assign(pipe as ParseArrayPipe, { validationPipe: itemsPipe });
  }
}

/** Whether a ParseArrayPipe lets null through. A DTO without one does not. */
export function takesNull(pipes: readonly unknown[]): boolean {
  return pipes.some((pipe) => optionsOf(pipe)?.optional === true);
}

/** Whether a pipe of Nest makes a number of the value, whatever type the parameter has. */
export function makesNumber(pipes: readonly unknown[]): boolean {
  return pipes.some((pipe) => pipe instanceof ParseIntPipe || pipe instanceof ParseFloatPipe);
}

/** Whether a pipe of Nest makes a Date of what was sent. */
export function makesDate(pipes: readonly unknown[]): boolean {
  return pipes.find((pipe) => !(pipe instanceof DefaultValuePipe)) instanceof ParseDatePipe;
}

/**
 * Throws a StartError for a pipe of Nest that converts what the contract has read, by rules that no comparison of DTOs sees.
 * `position` is where the operation is declared.
 */
export function assertPipes(name: string, position: string, handler: PipedHandler): void {
  const { pipes, parameters, moduleOfPipe } = handler;
  const all = [...pipes, ...parameters.flatMap((parameter) => parameter.pipes)];
  /** The first words, and what the pipe runs for. A pipe of all features has nothing to do with the first handler here. */
  const subjectOf = (pipe: unknown): [string, string] => {
    const module = moduleOfPipe(pipe);
    return module === undefined
      ? [`${position} ${name} has`, 'this operation']
      : [`${providedBy(module)} as APP_PIPE`, 'an operation'];
  };
  for (const pipe of all) {
    if (pipe !== null && pipe !== undefined) continue;
    throw new StartError(
      `${subjectOf(pipe)[0]} a pipe that a factory makes for each request, so that nothing is known of it at start; name its class with "useClass", or make one pipe for all requests.`,
    );
  }
  for (const pipe of all.filter(isValidationPipe)) {
    const [subject, operation] = subjectOf(pipe);
    if (!membersOf(pipe).validatorOptions) {
      throw new StartError(
        `${subject} a request-scoped ValidationPipe, whose options are not known at start; remove the pipe, because every DTO is validated, or use one pipe for all requests.`,
      );
    }
    if (convertsAgain(pipe)) {
      throw new StartError(
        `${subject} a ValidationPipe that converts what ${operation} has read; remove the pipe, because every DTO is validated, or its options "transform", "whitelist" and the like.`,
      );
    }
    const option = neverActs(pipe, pipes, parameters);
    if (option === undefined) continue;
    throw new StartError(
      `${subject} a ValidationPipe whose option "${option}" never acts, because every DTO is validated before and refused with 400; remove the option, or the pipe.`,
    );
  }
  for (const parameter of parameters) assertSchema(name, position, parameter, [...pipes, ...parameter.pipes]);
  const isMisplaced = (pipe: unknown): boolean => optionsOf(pipe)?.items !== undefined && pipes.includes(pipe);
  for (const pipe of all) {
    if (!optionsOf(pipe)?.transformOptions && !isMisplaced(pipe)) continue;
    const [subject, operation] = subjectOf(pipe);
    throw new StartError(
      `${subject} a ParseArrayPipe that converts what ${operation} has read; let it have no "transformOptions", and give it to the parameter whose items it makes.`,
    );
  }
}

/** Only one pipe of Nest reads the schema of a parameter; the value that a schema returns may differ from the one it gets. */
function assertSchema(
  name: string,
  position: string,
  { kind, schema }: PipedParameter,
  pipes: readonly unknown[],
): void {
  if (schema === undefined) return;
  const isCustom = Number.isNaN(kind);
  const readers = pipes
    .filter((pipe) => pipe instanceof StandardSchemaValidationPipe)
    .map(schemaOptionsOf)
    .filter(({ validateCustomDecorators }) => !isCustom || validateCustomDecorators === true);
  if (readers.length === 0) {
    const option = isCustom ? 'validateCustomDecorators: true' : 'transform: false';
    throw new StartError(
      `${position} ${name} gives a parameter a schema that no pipe reads; add a StandardSchemaValidationPipe with "${option}", or remove the schema.`,
    );
  }
  // The contract does not read the value of a custom decorator. A request-scoped pipe has no options yet.
  if (isCustom || readers.every(({ isTransformEnabled }) => isTransformEnabled === false)) return;
  throw new StartError(
    `${position} ${name} has a StandardSchemaValidationPipe that converts what this operation has read; give one pipe for all requests "transform: false", or remove the schema of the parameter.`,
  );
}

interface SchemaPipeMembers {
  readonly isTransformEnabled?: boolean;
  readonly validateCustomDecorators?: boolean;
}

function schemaOptionsOf(pipe: StandardSchemaValidationPipe): SchemaPipeMembers {
  // Nest declares these members protected.
  return pipe as unknown as SchemaPipeMembers;
}

/** A ValidationPipe without options that make it convert returns what it gets. */
function convertsAgain(pipe: ValidationPipe): boolean {
  const { isTransformEnabled, validatorOptions = {} } = membersOf(pipe);
  // One option is always present.
  return isTransformEnabled || Object.keys(validatorOptions).length > 1;
}

export function isValidationPipe(pipe: unknown): pipe is ValidationPipe {
  return pipe instanceof ValidationPipe && !(pipe instanceof DtoPipe);
}

/** The option of a ValidationPipe that changes its error, if none of the values that it validates is only left to it. */
function neverActs(pipe: ValidationPipe, common: readonly unknown[], parameters: readonly PipedParameter[]) {
  const members = membersOf(pipe);
  const validated = parameters.filter(
    ({ kind, pipes }) => (Number.isNaN(kind) || PIPED.has(kind)) && (common.includes(pipe) || pipes.includes(pipe)),
  );
  // The platform validates no value of a custom decorator, and no class that only the option names.
  const { expectedType, validateCustomDecorators } = members;
  const isLeft = ({ kind, type }: PipedParameter) =>
    Number.isNaN(kind) ? validateCustomDecorators : expectedType !== undefined && type !== expectedType;
  if (validated.every(isLeft)) return undefined;
  if (members.errorHttpStatusCode !== 400) return 'errorHttpStatusCode';
  if (members.isDetailedOutputDisabled) return 'disableErrorMessages';
  if (members.errorFormat !== USUAL.errorFormat) return 'errorFormat';
  if (members.maxErrorMessagesLength !== USUAL.maxErrorMessagesLength) return 'maxErrorMessagesLength';
  // Each pipe has a function of its own, which only its text tells from that of an application.
  return String(members.exceptionFactory) === String(USUAL.exceptionFactory) ? undefined : 'exceptionFactory';
}

interface ValidationPipeMembers {
  readonly isTransformEnabled: boolean;
  /** Absent from the placeholder that Nest keeps for a request-scoped pipe. */
  readonly validatorOptions?: object;
  readonly errorHttpStatusCode: number;
  readonly isDetailedOutputDisabled?: boolean;
  readonly errorFormat: string;
  readonly maxErrorMessagesLength: number;
  readonly exceptionFactory: Function;
  readonly expectedType?: Type<object>;
  readonly validateCustomDecorators: boolean;
}

function membersOf(pipe: ValidationPipe): ValidationPipeMembers {
  // Nest declares these members protected.
  return pipe as unknown as ValidationPipeMembers;
}

/** What Nest gives to pipes, beside the values of custom decorators. */
const PIPED = new Set<number>([RouteParamtypes.BODY, RouteParamtypes.QUERY, RouteParamtypes.PARAM]);

/** A pipe without options. */
const USUAL = membersOf(new ValidationPipe());

interface ParseArrayOptions extends ValidationPipeOptions {
  readonly optional?: boolean;
  readonly items?: Type<object>;
}

function optionsOf(pipe: unknown): ParseArrayOptions | undefined {
  // Nest declares this member protected.
  return pipe instanceof ParseArrayPipe ? (pipe as unknown as { options: ParseArrayOptions }).options : undefined;
}
