import { ConflictException, Controller, Get, InternalServerErrorException, Next, Param } from '@nestjs/common';
import type { NextFunction } from 'express';

const WAYS: Record<string, (next: NextFunction) => void> = {
  nothing: (next) => next(),
  error: (next) => next(new Error('The secret is hunter2.')),
  failure: (next) => next(new InternalServerErrorException('The secret is hunter2.')),
  exception: (next) => next(new ConflictException('The toy is taken.')),
};

@Controller('passed-toys')
export class PassedToysController {
  @Get(':way')
  get(@Param('way') way: string, @Next() next: NextFunction): void {
    WAYS[way]!(next);
  }

  @Get()
  list(@Next() next: NextFunction): void {
    next();
  }
}
