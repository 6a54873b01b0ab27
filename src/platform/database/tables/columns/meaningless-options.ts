import type { EntityMetadata } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata.js';
import { entityError, nameOf } from './entity-error.js';

const TEXTS = new Set(['text', 'varchar', 'character varying']);
const DECIMALS = new Set(['numeric', 'decimal']);
const TIMES = new Set(['datetime', 'timestamp without time zone']);

const typeOf = (column: ColumnMetadata): string =>
  column.type === 'simple-json' ? 'simple-json' : column.entityMetadata.dataSource.driver.normalizeType(column);

/** Options that have no meaning for the type of a column. */
const MEANINGLESS: readonly (readonly [string, (column: ColumnMetadata) => boolean])[] = [
  ['"length"', (it) => it.length !== '' && !TEXTS.has(typeOf(it))],
  ['a "length" that is no number', (it) => !/^\d*$/.test(it.length)],
  ['"scale"', (it) => it.scale !== undefined && !DECIMALS.has(typeOf(it))],
  ['"precision"', (it) => typeof it.precision === 'number' && !DECIMALS.has(typeOf(it)) && !TIMES.has(typeOf(it))],
  ['"enumName"', (it) => it.enumName !== undefined],
  ['"hstoreType"', (it) => it.hstoreType !== undefined],
  ['"srid"', (it) => it.srid !== undefined],
  ['"spatialFeatureType"', (it) => it.spatialFeatureType !== undefined],
  ['"generatedIdentity"', (it) => it.generatedIdentity !== undefined],
];

/** Throws a StartError for an option of a column that neither engine honours. */
export function refuseMeaningless({ columns }: EntityMetadata): void {
  for (const column of columns) {
    const found = MEANINGLESS.find(([, isUsed]) => isUsed(column));
    if (!found) continue;
    throw entityError(
      column.entityMetadata,
      column.propertyName,
      `${nameOf(column)} has ${found[0]}, which means nothing for its type; remove it.`,
    );
  }
}
