import { Body, Controller, Get, Module, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { AcceptedType } from '../../../src/platform/http/request/accepted-type.decorator.js';

/** What the last handler saw, and what the next one returns; an error is thrown. */
export const things = {
  calls: 0,
  seen: {} as Record<string, unknown>,
  answer: {} as unknown,
  headers: {} as Readonly<Record<string, string | string[]>>,
};

@Controller('things')
class ThingsController {
  @Post()
  add(
    @Body() body: unknown,
    @Query() query: Record<string, unknown>,
    @Req() { headers }: Request,
    @Res({ passthrough: true }) response: Response,
    @AcceptedType() mediaType: string,
  ): unknown {
    things.calls += 1;
    things.seen = { body, query, headers, mediaType };
    response.set(things.headers);
    if (things.answer instanceof Error) throw things.answer;
    return things.answer;
  }

  @Get(':thingId')
  get(@Param('thingId') thingId: string): unknown {
    things.calls += 1;
    things.seen = { thingId };
    return things.answer;
  }
}

@Module({ controllers: [ThingsController] })
export class ThingsModule {}
