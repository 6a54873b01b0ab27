import { EnumField, Int64Field, IntegerParameter, TextField } from '../../../src/platform/validation/fields.js';

export enum OrderState {
  open = 'open',
  shipped = 'shipped',
}

export class NewOrder {
  @TextField()
  token: string;

  @Int64Field()
  stockId: bigint;
}

export class OrderChange {
  @Int64Field()
  version: bigint;

  @TextField()
  note: string;
}

export class ListOrdersQuery {
  @EnumField(OrderState, 'OrderState', { required: false })
  state?: OrderState;

  @Int64Field({ required: false })
  from?: bigint;

  @IntegerParameter({ minimum: 1, maximum: 100, default: 20 })
  limit = 20;
}

export class ShipOrderQuery {
  @IntegerParameter({ minimum: 0, maximum: 600_000, default: 0 })
  wait = 0;
}
