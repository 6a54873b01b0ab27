import { ParseArrayPipe, type Type, ValidationPipe } from '@nestjs/common';
import { StartError } from '../../process/start-error.js';
import { DtoPipe } from '../../validation/dto.pipe.js';

export interface Piped {
  readonly pipes: readonly unknown[];
}

interface PipedHandler extends Piped {
  readonly parameters: readonly Piped[];
}

/** The class of the items that a ParseArrayPipe makes. */
export function itemsOf(pipes: readonly unknown[]): Type<object> | undefined {
  return pipes.map((pipe) => optionsOf(pipe)?.items).find((items) => items !== undefined);
}

/** Whether a ParseArrayPipe lets null through. A DTO without one does not. */
export function takesNull(pipes: readonly unknown[]): boolean {
  return pipes.some((pipe) => optionsOf(pipe)?.optional === true);
}

/**
 * Throws a StartError for a pipe of Nest that converts what the contract has read, by rules that no comparison of DTOs sees.
 * `position` is where the operation is declared.
 */
export function assertPipes(name: string, position: string, { pipes, parameters }: PipedHandler): void {
  const all = [...pipes, ...parameters.flatMap((parameter) => parameter.pipes)];
  if (all.some((pipe) => isValidationPipe(pipe) && !membersOf(pipe).validatorOptions)) {
    throw new StartError(
      `${position} ${name} has a ValidationPipe of each request, whose options are not known at start; remove the pipe, because every DTO is validated, or use one pipe for all requests.`,
    );
  }
  if (all.some(convertsAgain)) {
    throw new StartError(
      `${position} ${name} has a ValidationPipe that converts what this operation has read; remove the pipe, because every DTO is validated, or its options "transform", "whitelist" and the like.`,
    );
  }
  if (!all.some((pipe) => optionsOf(pipe)?.transformOptions) && !itemsOf(pipes)) return;
  throw new StartError(
    `${position} ${name} has a ParseArrayPipe that converts what this operation has read; let it have no "transformOptions", and give it to the parameter whose items it makes.`,
  );
}

/** A ValidationPipe without options that make it convert returns what it gets. */
function convertsAgain(pipe: unknown): boolean {
  if (!isValidationPipe(pipe)) return false;
  const { isTransformEnabled, validatorOptions = {} } = membersOf(pipe);
  // One of its options is always there.
  return isTransformEnabled || Object.keys(validatorOptions).length > 1;
}

function isValidationPipe(pipe: unknown): pipe is ValidationPipe {
  return pipe instanceof ValidationPipe && !(pipe instanceof DtoPipe);
}

interface ValidationPipeMembers {
  readonly isTransformEnabled: boolean;
  /** Absent from the placeholder that Nest has for a pipe of each request. */
  readonly validatorOptions?: object;
}

function membersOf(pipe: ValidationPipe): ValidationPipeMembers {
  // Nest declares these members protected.
  return pipe as unknown as ValidationPipeMembers;
}

interface ParseArrayOptions {
  readonly optional?: boolean;
  readonly items?: Type<object>;
  readonly transformOptions?: object;
}

function optionsOf(pipe: unknown): ParseArrayOptions | undefined {
  // Nest declares this member protected.
  return pipe instanceof ParseArrayPipe ? (pipe as unknown as { options: ParseArrayOptions }).options : undefined;
}
