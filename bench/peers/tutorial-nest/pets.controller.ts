import { Body, Controller, Get, Param, ParseIntPipe, Post, Query, UseGuards } from '@nestjs/common';
import { ApiKeyGuard } from './api-key.guard.js';
import { Pet } from './pet.entity.js';
import { CreatePetDto, ListPetsDto } from './pets.dto.js';
import { PetsService } from './pets.service.js';

@Controller('v1/pets')
@UseGuards(ApiKeyGuard)
export class PetsController {
  constructor(private readonly pets: PetsService) {}

  @Get()
  findAll(@Query() query: ListPetsDto): Promise<Pet[]> {
    return this.pets.findAll(query);
  }

  @Get(':petId')
  findOne(@Param('petId', ParseIntPipe) petId: number): Promise<Pet> {
    return this.pets.findOne(petId);
  }

  @Post()
  create(@Body() newPet: CreatePetDto): Promise<Pet> {
    return this.pets.create(newPet);
  }
}
