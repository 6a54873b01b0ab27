import { Body, Controller, createParamDecorator, Get, Headers, Ip, Post, Query } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import { MaxLength } from 'class-validator';
import type { IncomingHttpHeaders } from 'node:http';
import type { Request } from 'express';
import type { Toy } from '../toy.dto.js';

const Color = createParamDecorator(
  (prefix: string, context: ExecutionContext) => prefix + context.switchToHttp().getRequest<Request>().get('x-color'),
);

/** The rules apply only to input from callers, not to the value of a custom decorator. */
class Keeper {
  readonly #name = 'Ann';

  @MaxLength(1)
  readonly title = 'Keeper';

  get name(): string {
    return `${this.title} ${this.#name}`;
  }
}

const ToyKeeper = createParamDecorator(() => new Keeper());

@Controller('named-toys')
export class NamedToysController {
  @Post()
  add(@Body('name') name: string): Toy {
    return { name };
  }

  @Get()
  list(
    @Headers() headers: IncomingHttpHeaders,
    @Headers('X-Color') header: string,
    @Query('color') color: string,
    @Query() query: Record<string, string>,
    @Ip() ip: string,
    @Color('very ') custom: string,
  ): { seen: string[] } {
    return { seen: [headers['x-color'] as string, header, color, query.color!, ip, custom] };
  }

  @Get('keeper')
  getKeeper(@ToyKeeper() keeper: Keeper): Toy {
    return { name: keeper.name };
  }
}
