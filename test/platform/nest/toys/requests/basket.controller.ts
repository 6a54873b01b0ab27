import { Controller, Get, Inject, Injectable, Scope } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import type { Request } from 'express';

let baskets = 0;

@Injectable({ scope: Scope.REQUEST })
export class Basket {
  readonly number = (baskets += 1);

  constructor(@Inject(REQUEST) readonly request: Request) {}
}

@Controller('basket')
export class BasketController {
  constructor(private readonly basket: Basket) {}

  @Get()
  async get(): Promise<{ seen: string[] }> {
    const { number, request } = this.basket;
    return { seen: [String(number), request.get('x-color')!] };
  }
}
