import { Module } from '@nestjs/common';
import { DatabaseModule } from '../../../src/platform/database/database.module.js';
import { OrdersController } from './orders.controller.js';
import { OrdersService } from './orders.service.js';
import { OrderEntity, ParcelEntity, StockEntity } from './shop.entities.js';

@Module({
  imports: [OrderEntity, ParcelEntity, StockEntity].map((entity) => DatabaseModule.forFeature<{ id: bigint }>(entity)),
  controllers: [OrdersController],
  providers: [OrdersService],
})
export class ShopModule {}
