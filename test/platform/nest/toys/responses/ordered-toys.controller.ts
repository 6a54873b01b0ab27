import { Controller, Delete, Get, Header, HttpCode, Param, Patch, Put, Redirect, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Toy } from '../toy.dto.js';

const STATUSES: Record<string, number | undefined> = { 'for-good': 308, 'to-another': 303 };

@Controller()
export class OrderedToysController {
  @Put('ordered-toys/:toyId')
  @HttpCode(202)
  @Header('X-Wrapped', 'paper')
  order(@Param('toyId') toyId: string): Toy {
    return { name: toyId };
  }

  @Get('ordered-toys/:toyId')
  find(@Param('toyId') toyId: string, @Res({ passthrough: true }) response: Response): Toy {
    response.status(502);
    return { name: toyId };
  }

  @Patch('ordered-toys/:toyId')
  change(@Param() { toyId }: { toyId: string }): Toy {
    return { name: toyId };
  }

  @Delete('ordered-toys/:toyId')
  @HttpCode(204)
  cancel(): void {}

  @Get('moved-toys/:toyId')
  @Redirect('/v1/open-toys', 307)
  getMoved(@Param('toyId') toyId: string): { url: string; statusCode: number } | undefined {
    const statusCode = STATUSES[toyId];
    return statusCode ? { url: '/v1/stock', statusCode } : undefined;
  }
}
