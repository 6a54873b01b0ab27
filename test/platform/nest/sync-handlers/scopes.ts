import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Inject,
  Injectable,
  type PipeTransform,
  Query,
  Scope,
  UseGuards,
} from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import type { Request } from 'express';
import { note } from './journal.js';
import { later, type Rows } from './routes.js';

/** Nest creates one for each request. */
@Injectable({ scope: Scope.REQUEST })
export class Basket {
  constructor(@Inject(REQUEST) private readonly request: Request) {
    note('a basket is created');
  }

  get color(): unknown {
    return this.request.query.color;
  }
}

@Injectable({ scope: Scope.REQUEST })
export class BasketGuard implements CanActivate {
  constructor(private readonly basket: Basket) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    note(`basket guard of ${context.getHandler().name}: ${String(this.basket.color)}`);
    return this.basket.color === 'blue' ? later(() => true) : this.basket.color !== 'black';
  }
}

@Injectable({ scope: Scope.REQUEST })
export class BasketPipe implements PipeTransform {
  constructor(private readonly basket: Basket) {}

  transform(value: unknown): string {
    note(`basket pipe: ${String(value)}`);
    return `${String(value)} in ${String(this.basket.color)}`;
  }
}

@Controller('baskets')
class BasketsController {
  constructor(private readonly basket: Basket) {
    note('a controller is created');
  }

  @Get('own')
  own(@Query('color') color: string): object {
    return { color, own: this.basket.color };
  }

  @Get('later')
  ownLater(): Promise<object> {
    return later(() => ({ own: this.basket.color }));
  }
}

@Controller('guarded-baskets')
class GuardedBasketsController {
  @Get()
  @UseGuards(BasketGuard)
  get(@Query('color', BasketPipe) color: string): object {
    note('handler');
    return { color };
  }
}

@Controller({ path: 'scoped', scope: Scope.REQUEST })
class ScopedController {
  #calls = 0;

  @Get()
  get(): object {
    return { calls: (this.#calls += 1) };
  }
}

@Controller('lasting')
class LastingController {
  readonly #name = 'Ball';

  @Get()
  get(): object {
    return { name: this.#name };
  }
}

export const SCOPES: Rows = {
  controllers: [BasketsController, GuardedBasketsController, ScopedController, LastingController],
  rows: [
    { title: 'a controller with a request-scoped provider', target: '/baskets/own?color=red', status: 200 },
    {
      title: 'a controller with a request-scoped provider that resolves later',
      target: '/baskets/later?color=red',
      status: 200,
    },
    { title: 'a request-scoped guard and pipe', target: '/guarded-baskets?color=red', status: 200 },
    { title: 'a request-scoped guard that resolves later', target: '/guarded-baskets?color=blue', status: 200 },
    { title: 'a request-scoped guard that rejects', target: '/guarded-baskets?color=black', status: 403 },
    { title: 'a request-scoped controller', target: '/scoped', status: 200 },
    { title: 'a request-scoped controller, again', target: '/scoped', status: 200 },
    { title: 'a controller without a scope', target: '/lasting', status: 200 },
  ],
};
