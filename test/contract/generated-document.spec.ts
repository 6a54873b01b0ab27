import { expect, it } from '@jest/globals';
import { Controller, Get, Headers, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ApiHeader } from '@nestjs/swagger';
import { operationsOf } from './contract.js';
import { operationFacts } from './facts/operation-facts.js';
import { generatedDocument } from './generated-document.js';

const HEADER = { required: false, schema: { type: 'string', minLength: 3 } };

@Controller()
class MatchingController {
  @Get('one')
  @ApiHeader({ name: 'If-Match', ...HEADER })
  one(@Headers('if-match') match: string): string {
    return match;
  }

  @Get('other')
  @ApiHeader({ name: 'If-Match', ...HEADER })
  other(@Headers('If-Match') match: string): string {
    return match;
  }
}

@Module({ controllers: [MatchingController] })
class MatchingModule {}

it('a header that a handler takes is the one of @ApiHeader, whatever the case of its name', async () => {
  const app = await NestFactory.create(MatchingModule, { logger: false });
  const [one, other] = operationsOf(generatedDocument(app)).map((operation) => operationFacts(operation, []));
  expect(one!['parameter if-match']).toEqual({ in: 'header', required: 'false', type: 'string', minLength: '3' });
  expect(one!['parameter if-match']).toEqual(other!['parameter if-match']);
  await app.close();
});
