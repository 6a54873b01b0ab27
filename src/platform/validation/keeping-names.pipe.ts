import { type ArgumentMetadata, type Type, ValidationPipe } from '@nestjs/common';
import type { ValidationError, ValidatorOptions } from 'class-validator';
import { removeMarks, withMarks, withoutMark } from './inherited-names.js';
import { isPlainObject } from './plain-object.js';

/** Nest's ValidationPipe, which keeps the members that class-transformer would drop because of their names. */
export class KeepingNamesPipe extends ValidationPipe {
  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const { metatype } = metadata;
    if (!metatype || !isPlainObject(value)) return super.transform(value, metadata);
    const marked = withMarks(value, metatype as Type<object>);
    const dto: unknown = await super.transform(marked, metadata);
    if (marked !== value) removeMarks(dto);
    return dto;
  }

  protected override async validate(object: object, options?: ValidatorOptions): Promise<ValidationError[]> {
    const errors = await super.validate(object, options);
    complete(errors);
    return errors;
  }
}

/** Gives errors the names that were sent, and a message where a rule of the application has none. */
function complete(errors: readonly ValidationError[]): void {
  for (const error of errors) {
    const { constraints = {}, children = [] } = error;
    const property = (error.property = withoutMark(error.property));
    removeMarks(error.value);
    for (const rule of Object.keys(constraints)) constraints[rule] ||= `${property} is not valid`;
    complete(children);
  }
}
