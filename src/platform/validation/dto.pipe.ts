import { type ArgumentMetadata, BadRequestException, Injectable, type Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';
import { type CheckedFields, compileDto, type ReadDto } from './compile-dto.js';
import { KeepingNamesPipe } from './keeping-names.pipe.js';
import { isPlainObject } from './plain-object.js';

/**
 * How a parameter of a handler is validated: by a compiled DTO, by Nest's pipe (a DTO that cannot be compiled, or a
 * primitive that Nest converts), or not at all.
 */
type Validation = ReadDto | 'nest' | 'primitive' | 'none';

/**
 * Nest's ValidationPipe with the rules of each DTO compiled on first use. A value that meets its rules passes; any other
 * value goes through Nest's own pipe, which makes the final decision and the error message.
 */
@Injectable()
export class DtoPipe extends KeepingNamesPipe {
  #checked: CheckedFields = new Map();
  readonly #validations = new Map<ArgumentMetadata['metatype'], Validation>();

  /** `refusePath` makes the error of a path that breaks a rule. */
  constructor(private readonly refusePath: (error: BadRequestException) => Error = (error) => error) {
    super({ transform: true, whitelist: true });
  }

  /** Names the fields whose own rules need not run. Call before the first request. */
  skip(checked: CheckedFields): void {
    this.#checked = checked;
  }

  // Returns a plain value where nothing is asynchronous, in spite of its type: Nest accepts either.
  override transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    // The value of a custom decorator does not come from the caller.
    const validation = metadata.type === 'custom' ? 'none' : this.#validationOf(metadata.metatype);
    if (validation === 'none') return value as Promise<unknown>;
    if (validation === 'primitive') return super.transform(value, metadata);
    // The contract accepts a request without it. Outside of the contract, nothing reads a body.
    if (value === undefined && this.#checked.has(metadata.metatype as Type<object>)) return value as never;
    const plain = value === undefined ? {} : value;
    if (!isPlainObject(plain)) throw new BadRequestException(`The ${metadata.type} must be a JSON object.`);
    const dto = validation === 'nest' ? undefined : validation(plain);
    if (dto) return dto as Promise<unknown>;
    return metadata.type === 'param' ? this.#readPath(plain, metadata) : super.transform(plain, metadata);
  }

  async #readPath(plain: object, metadata: ArgumentMetadata): Promise<unknown> {
    try {
      return await super.transform(plain, metadata);
    } catch (error) {
      throw error instanceof BadRequestException ? this.refusePath(error) : error;
    }
  }

  #validationOf(metatype: ArgumentMetadata['metatype']): Validation {
    let validation = this.#validations.get(metatype);
    if (!validation) this.#validations.set(metatype, (validation = chooseValidation(metatype, this.#checked)));
    return validation;
  }
}

function chooseValidation(metatype: ArgumentMetadata['metatype'], checked: CheckedFields): Validation {
  if (metatype === Number || metatype === Boolean) return 'primitive';
  if (!metatype || getMetadataStorage().getTargetValidationMetadatas(metatype, '', false, false).length === 0) {
    return 'none';
  }
  return compileDto(metatype as Type<object>, checked) ?? 'nest';
}
