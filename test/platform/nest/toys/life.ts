import { Injectable, Logger } from '@nestjs/common';
import type {
  BeforeApplicationShutdown,
  OnApplicationBootstrap,
  OnApplicationShutdown,
  OnModuleDestroy,
  OnModuleInit,
} from '@nestjs/common';
import { Trace } from './trace.js';

@Injectable()
export class Life
  implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown, OnApplicationShutdown
{
  readonly #logger = new Logger('Life');

  constructor(private readonly trace: Trace) {}

  onModuleInit(): void {
    this.trace.note('onModuleInit');
  }

  onApplicationBootstrap(): void {
    this.trace.note('onApplicationBootstrap');
    this.#logger.log('The toys are here.');
  }

  onModuleDestroy(): void {
    this.trace.note('onModuleDestroy');
  }

  beforeApplicationShutdown(): void {
    this.trace.note('beforeApplicationShutdown');
  }

  onApplicationShutdown(): void {
    this.trace.note('onApplicationShutdown');
  }
}
