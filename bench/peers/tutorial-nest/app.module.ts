import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApiKeyGuard } from './api-key.guard.js';
import { Pet } from './pet.entity.js';
import { PetsController } from './pets.controller.js';
import { PetsService } from './pets.service.js';

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'better-sqlite3',
      database: process.env.DATABASE_URL?.replace(/^sqlite:/, '') ?? '',
      entities: [Pet],
      enableWAL: true,
      prepareDatabase: (database: { pragma(text: string): void }) => database.pragma('synchronous = FULL'),
    }),
    TypeOrmModule.forFeature([Pet]),
  ],
  controllers: [PetsController],
  providers: [PetsService, ApiKeyGuard],
})
export class AppModule {}
