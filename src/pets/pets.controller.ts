import { Body, Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiBearerAuth, ApiCreatedResponse, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { nextPageLink } from '../platform/paging/next-page-link.js';
import { ErrorResponses } from '../platform/errors/error-responses.decorator.js';
import { PetIdPipe } from './pet-id.pipe.js';
import { ListPetsQuery, NewPet, Pet } from './pets.dto.js';
import { PetsService } from './pets.service.js';

@ApiTags('pets')
@ApiBearerAuth('apiKey')
@ErrorResponses(401, 429, 500, 503)
@Controller('pets')
export class PetsController {
  constructor(private readonly pets: PetsService) {}

  @Get()
  @ApiOperation({ operationId: 'listPets' })
  @ApiOkResponse({ type: [Pet], headers: { Link: { schema: { type: 'string' } } } })
  @ErrorResponses(400)
  async list(
    @Query() query: ListPetsQuery,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Pet[]> {
    const { pets, next } = await this.pets.list(query);
    if (next !== undefined) response.setHeader('Link', nextPageLink(request, query, next));
    return pets;
  }

  @Post()
  @ApiOperation({ operationId: 'createPet' })
  @ApiCreatedResponse({
    type: Pet,
    headers: { Location: { required: true, schema: { type: 'string', format: 'uri-reference' } } },
  })
  @ErrorResponses(400, 403, 413, 415)
  async create(
    @Body() newPet: NewPet,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Pet> {
    const pet = await this.pets.create(newPet);
    response.setHeader('Location', `${request.path}/${pet.id}`);
    return pet;
  }

  @Get(':petId')
  @ApiOperation({ operationId: 'getPet', deprecated: true })
  @ApiParam({ name: 'petId', type: 'integer', format: 'int64' })
  @ApiOkResponse({ type: Pet })
  @ErrorResponses(404)
  get(@Param('petId', PetIdPipe) petId: bigint): Promise<Pet> {
    return this.pets.get(petId);
  }
}
