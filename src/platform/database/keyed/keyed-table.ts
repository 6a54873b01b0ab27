import type { Type } from '@nestjs/common';
import type { KeyedRequest } from '../../idempotency/keyed-request.js';
import { keyedRequest } from '../../idempotency/keyed-scope.js';
import { deletionOf, updateOf } from '../tables/changes/row-change.js';
import type { Conditions } from '../tables/conditions.js';
import type { Changes, KeysetTable, NewRow, OrderedPageRequest, PageRequest, Row } from '../tables/keyset-table.js';
import { isInsideTransaction } from '../transactions/transaction-scope.js';
import type { KeyedTransactions } from './keyed-transactions.js';

/** A table whose changes are stored together with the response, while a request with an Idempotency-Key is served. */
export class KeyedTable<Entity extends { id: bigint }> implements KeysetTable<Entity> {
  constructor(
    private readonly table: KeysetTable<Entity>,
    private readonly entity: Type<Entity>,
    private readonly keyed: KeyedTransactions,
  ) {}

  page(request: PageRequest<Entity> | OrderedPageRequest<Entity>): Promise<Row<Entity>[]> {
    const keyed = keyedReader();
    return keyed?.isHeld ? afterChange(keyed) : this.table.page(request);
  }

  find(id: bigint): Promise<Row<Entity> | undefined> {
    const keyed = keyedReader();
    return keyed?.isHeld ? afterChange(keyed) : this.table.find(id);
  }

  insert(row: NewRow<Entity>): Promise<bigint> {
    const request = this.#changed();
    return request ? this.keyed.insert(request, this.entity, row) : this.table.insert(row);
  }

  update(id: bigint, changes: Changes<Entity>, where: Conditions<Entity> = {}): Promise<boolean> {
    const request = this.#changed();
    if (!request) return this.table.update(id, changes, where);
    return this.keyed.change(request, this.entity, (table) => updateOf(table, id, changes, where));
  }

  delete(id: bigint, where: Conditions<Entity> = {}): Promise<boolean> {
    const request = this.#changed();
    if (!request) return this.table.delete(id, where);
    return this.keyed.change(request, this.entity, (table) => deletionOf(table, id, where));
  }

  /** Inside a transaction, the table itself rejects the call, and says what to use instead. */
  #changed(): KeyedRequest | undefined {
    return isInsideTransaction() ? undefined : this.keyed.request();
  }
}

/** As above. */
function keyedReader(): KeyedRequest | undefined {
  const request = keyedRequest();
  return request && !isInsideTransaction() ? request : undefined;
}

/** A read would not see the change, which is not committed yet. */
function afterChange(request: KeyedRequest): Promise<never> {
  return request.refuse('An operation with an Idempotency-Key reads before its change, or in the same transaction');
}
