import { Injectable, type PipeTransform } from '@nestjs/common';
import { parseInt64 } from '../platform/values/int64.js';
import { OrderNotFound } from './order.errors.js';

/** Anything but a canonical int64 cannot identify an order: the response is 404, as for an unknown id. */
@Injectable()
export class OrderIdPipe implements PipeTransform<string, bigint> {
  transform(orderId: string): bigint {
    const id = parseInt64(orderId);
    if (id === undefined) throw new OrderNotFound(orderId);
    return id;
  }
}
