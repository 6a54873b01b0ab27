import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { ErrorResponses } from '../platform/errors/error-responses.decorator.js';
import { nextPageLink } from '../platform/paging/next-page-link.js';
import { OrderIdPipe } from './order-id.pipe.js';
import { ListOrdersQuery, NewOrder, Order, OrderChanges } from './orders.dto.js';
import { OrdersService } from './orders.service.js';

const ORDER_ID = { name: 'orderId', type: 'integer', format: 'int64' } as const;

@ApiTags('orders')
@ApiBearerAuth('apiKey')
@ErrorResponses(401, 429, 500, 503)
@Controller('orders')
export class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Get()
  @ApiOperation({ operationId: 'listOrders' })
  @ApiOkResponse({ type: [Order], headers: { Link: { schema: { type: 'string' } } } })
  @ErrorResponses(400)
  async list(
    @Query() query: ListOrdersQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Order[]> {
    const { orders, next } = await this.orders.list(query);
    if (next !== undefined) response.setHeader('Link', nextPageLink(request, query, next));
    return orders;
  }

  @Post()
  @ApiOperation({ operationId: 'createOrder' })
  @ApiCreatedResponse({
    type: Order,
    headers: { Location: { required: true, schema: { type: 'string', format: 'uri-reference' } } },
  })
  @ErrorResponses(400, 403, 413, 415, 422)
  async create(
    @Body() newOrder: NewOrder,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Order> {
    const order = await this.orders.create(newOrder);
    response.setHeader('Location', `${request.path}/${order.id}`);
    return order;
  }

  @Get(':orderId')
  @ApiOperation({ operationId: 'getOrder' })
  @ApiParam(ORDER_ID)
  @ApiOkResponse({ type: Order })
  @ErrorResponses(404)
  get(@Param('orderId', OrderIdPipe) orderId: bigint): Promise<Order> {
    return this.orders.get(orderId);
  }

  @Patch(':orderId')
  @ApiOperation({ operationId: 'changeOrder' })
  @ApiParam(ORDER_ID)
  @ApiOkResponse({ type: Order })
  @ErrorResponses(400, 403, 404, 409, 413, 415)
  change(@Param('orderId', OrderIdPipe) orderId: bigint, @Body() changes: OrderChanges): Promise<Order> {
    return this.orders.change(orderId, changes);
  }

  @Delete(':orderId')
  @HttpCode(204)
  @ApiOperation({ operationId: 'deleteOrder' })
  @ApiParam(ORDER_ID)
  @ApiNoContentResponse()
  @ErrorResponses(403, 404, 409)
  delete(@Param('orderId', OrderIdPipe) orderId: bigint): Promise<void> {
    return this.orders.delete(orderId);
  }

  @Post(':orderId/ship')
  @HttpCode(200)
  @ApiOperation({ operationId: 'shipOrder' })
  @ApiParam(ORDER_ID)
  @ApiOkResponse({ type: Order })
  @ErrorResponses(403, 404, 409)
  ship(@Param('orderId', OrderIdPipe) orderId: bigint): Promise<Order> {
    return this.orders.ship(orderId);
  }
}
