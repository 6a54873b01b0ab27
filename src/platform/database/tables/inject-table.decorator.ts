import { Inject, type Type } from '@nestjs/common';
import { tableToken } from './keyset-table.js';

export const InjectTable = (entity: Type<object>): ParameterDecorator => Inject(tableToken(entity));
