import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ListOrdersQuery, NewOrder, OrderChange, ShipOrderQuery } from './orders.dto.js';
import { OrdersService } from './orders.service.js';

/** The contract has checked the ids. */
@Controller()
export class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Get('orders')
  list(@Query() query: ListOrdersQuery): Promise<object> {
    return this.orders.list(query);
  }

  @Post('orders')
  create(@Body() order: NewOrder): Promise<object> {
    return this.orders.create(order);
  }

  @Get('orders/:orderId')
  get(@Param('orderId') id: string): Promise<object> {
    return this.orders.get(BigInt(id));
  }

  @Patch('orders/:orderId')
  @HttpCode(204)
  change(@Param('orderId') id: string, @Body() change: OrderChange): Promise<void> {
    return this.orders.change(BigInt(id), change);
  }

  @Delete('orders/:orderId')
  @HttpCode(204)
  delete(@Param('orderId') id: string): Promise<void> {
    return this.orders.delete(BigInt(id));
  }

  @Post('orders/:orderId/ship')
  @HttpCode(200)
  ship(@Param('orderId') id: string, @Query() { wait }: ShipOrderQuery): Promise<object> {
    return this.orders.ship(BigInt(id), wait);
  }

  @Get('parcels/:parcelId')
  parcel(@Param('parcelId') id: string): Promise<object> {
    return this.orders.parcel(BigInt(id));
  }
}
