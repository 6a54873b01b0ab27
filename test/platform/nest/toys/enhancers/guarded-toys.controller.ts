import { Body, Controller, Injectable, Post, SetMetadata, UseGuards } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request } from 'express';
import { Toy } from '../toy.dto.js';
import { Trace } from '../trace.js';

function toyOf(context: ExecutionContext): string {
  return (context.switchToHttp().getRequest<Request>().body as Toy).name;
}

@Injectable()
class ControllerGuard implements CanActivate {
  constructor(private readonly trace: Trace) {}

  canActivate(context: ExecutionContext): boolean {
    this.trace.note(`controller guard: ${toyOf(context)}`);
    return true;
  }
}

@Injectable()
class MethodGuard implements CanActivate {
  constructor(
    private readonly trace: Trace,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    this.trace.note(`method guard: ${toyOf(context)}`);
    return toyOf(context) !== this.reflector.get('forbidden', context.getHandler());
  }
}

@Controller('guarded-toys')
@UseGuards(ControllerGuard)
export class GuardedToysController {
  constructor(private readonly trace: Trace) {}

  @Post()
  @SetMetadata('forbidden', 'Knife')
  @UseGuards(MethodGuard)
  add(@Body() toy: Toy): { seen: string[] } {
    this.trace.note(`handler: ${toy.name}`);
    return { seen: this.trace.take() };
  }
}
