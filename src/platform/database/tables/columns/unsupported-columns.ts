import type { EntityMetadata } from 'typeorm';
import { StartError } from '../../../process/start-error.js';
import { nameOf } from './column-codecs.js';

type Column = EntityMetadata['columns'][number];

/** What TypeORM's repositories would do for a column, and tables do not. */
const UNSUPPORTED: readonly (readonly [string, (column: Column) => boolean])[] = [
  ['a generated value', (it) => it.isGenerated || it.generatedType !== undefined],
  ['a date that TypeORM sets', (it) => it.isCreateDate || it.isUpdateDate || it.isDeleteDate],
  ['a version', (it) => it.isVersion],
  ['a default', (it) => it.default !== undefined],
  ['an array', (it) => it.isArray],
  ['select, insert or update', (it) => !it.isSelect || !it.isInsert || !it.isUpdate],
  ['an embedded entity', (it) => it.embeddedMetadata !== undefined],
  ['a virtual value', (it) => it.isVirtual || it.isVirtualProperty],
];

/** Throws a StartError for anything in an entity that a table would ignore. */
export function refuseUnsupported(metadata: EntityMetadata): void {
  const { name, columns, relations, listeners } = metadata;
  const [relation] = relations;
  if (relation) {
    throw new StartError(
      `Tables do not load relations; replace ${name}.${relation.propertyName} by a column with the id, and @ForeignKey.`,
    );
  }
  const [listener] = listeners;
  if (listener) {
    throw new StartError(`Tables call no listeners; move ${name}.${listener.propertyName} into the service.`);
  }
  for (const column of columns) {
    const found = UNSUPPORTED.find(([, isUsed]) => isUsed(column));
    if (found) throw new StartError(`Tables ignore ${found[0]} of ${nameOf(column)}; set the value in the service.`);
  }
}
