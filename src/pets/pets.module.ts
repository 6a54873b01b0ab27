import { Module } from '@nestjs/common';
import { DatabaseModule } from '../platform/database/database.module.js';
import { PetEntity } from './pet.entity.js';
import { PetsController } from './pets.controller.js';
import { PetsService } from './pets.service.js';

@Module({
  imports: [DatabaseModule.forFeature(PetEntity)],
  controllers: [PetsController],
  providers: [PetsService],
})
export class PetsModule {}
