import { Module } from '@nestjs/common';
import { DatabaseModule } from '../platform/database/database.module.js';
import { OrderEntity } from './order.entity.js';
import { OrdersController } from './orders.controller.js';
import { OrdersService } from './orders.service.js';

@Module({
  imports: [DatabaseModule.forFeature(OrderEntity)],
  controllers: [OrdersController],
  providers: [OrdersService],
})
export class OrdersModule {}
