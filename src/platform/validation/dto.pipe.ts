import { type ArgumentMetadata, BadRequestException, Injectable, type Type, ValidationPipe } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import { compileDto, type ReadDto } from './compile-dto.js';

/**
 * How a parameter of a handler is read: by a compiled DTO, by Nest's own pipe (a DTO that cannot be compiled, or a
 * primitive that Nest converts), or not at all.
 */
type Reader = ReadDto | 'own-pipe' | 'primitive' | 'as-it-is';

/**
 * Nest's ValidationPipe, with the rules of each DTO compiled when it is first met. What meets its rules passes; what does
 * not is shown to Nest's own pipe, which has the last word and finds the words.
 */
@Injectable()
export class DtoPipe extends ValidationPipe {
  readonly #readers = new Map<ArgumentMetadata['metatype'], Reader>();

  constructor() {
    super({ transform: true, whitelist: true });
  }

  // A promise where the base class makes one, a plain value where nothing has to be waited for: Nest takes either.
  override transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    // What a decorator of the project makes is none of the caller's.
    const read = metadata.type === 'custom' ? 'as-it-is' : this.#readerOf(metadata.metatype);
    if (read === 'as-it-is') return value as Promise<unknown>;
    if (read === 'primitive') return super.transform(value, metadata);
    const plain = value === undefined ? {} : value;
    if (!isPlainObject(plain)) throw new BadRequestException(`The ${metadata.type} must be a JSON object.`);
    const dto = read === 'own-pipe' ? undefined : read(plain);
    return (dto as Promise<unknown> | undefined) ?? super.transform(plain, metadata);
  }

  #readerOf(metatype: ArgumentMetadata['metatype']): Reader {
    let reader = this.#readers.get(metatype);
    if (!reader) this.#readers.set(metatype, (reader = choose(metatype)));
    return reader;
  }
}

function choose(metatype: ArgumentMetadata['metatype']): Reader {
  if (metatype === Number || metatype === Boolean) return 'primitive';
  if (!metatype || getMetadataStorage().getTargetValidationMetadatas(metatype, '', false, false).length === 0) {
    return 'as-it-is';
  }
  return compileDto(metatype as Type<object>) ?? 'own-pipe';
}

/** What JSON has as an object; the parameters of a query have no prototype. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}
