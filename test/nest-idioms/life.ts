import { Injectable } from '@nestjs/common';
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
  constructor(private readonly trace: Trace) {}

  onModuleInit(): void {
    this.trace.note('onModuleInit');
  }

  onApplicationBootstrap(): void {
    this.trace.note('onApplicationBootstrap');
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
