import { Body, ConflictException, Controller, Get, Injectable, Post, UseInterceptors } from '@nestjs/common';
import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import { catchError, map, type Observable, throwError } from 'rxjs';
import { Toy } from '../toy.dto.js';
import { Trace } from '../trace.js';

@Injectable()
class ClassInterceptor implements NestInterceptor {
  constructor(private readonly trace: Trace) {}

  intercept(context: ExecutionContext, next: CallHandler<object>): Observable<object> {
    const http = context.switchToHttp();
    http.getResponse<Response>().setHeader('X-Observed', context.getHandler().name);
    this.trace.note(`class, before: ${(http.getRequest<Request>().body as Toy | undefined)?.name}`);
    return next.handle().pipe(
      map((result) => {
        this.trace.note('class, after');
        return { ...result, seen: this.trace.take() };
      }),
      catchError((error: Error) => {
        this.trace.note(`class, error: ${error.message}`);
        return throwError(() => error);
      }),
    );
  }
}

@Injectable()
class MethodInterceptor implements NestInterceptor {
  constructor(private readonly trace: Trace) {}

  intercept(context: ExecutionContext, next: CallHandler<Toy>): Observable<Toy> {
    this.trace.note(`method, before: ${context.getClass().name}`);
    return next.handle().pipe(
      map(({ name }) => {
        this.trace.note(`method, after: ${name}`);
        return { name: name.toUpperCase() };
      }),
    );
  }
}

@Controller('observed-toys')
@UseInterceptors(ClassInterceptor)
export class ObservedToysController {
  constructor(private readonly trace: Trace) {}

  @Post()
  @UseInterceptors(MethodInterceptor)
  add(@Body() toy: Toy): Toy {
    this.trace.note(`handler: ${toy.name}`);
    return toy;
  }

  @Get(':toyId')
  get(): never {
    throw new ConflictException('The toy is being played with.');
  }
}
