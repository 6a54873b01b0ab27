import {
  Catch,
  Controller,
  Get,
  Injectable,
  InternalServerErrorException,
  Param,
  Req,
  Res,
  UseFilters,
  UseGuards,
  UseInterceptors,
} from '@nestjs/common';
import type {
  CallHandler,
  CanActivate,
  ExceptionFilter,
  ExecutionContext,
  NestInterceptor,
  PipeTransform,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { map, type Observable } from 'rxjs';
import { QueryFailedError } from 'typeorm';
import type { Toy } from '../toy.dto.js';

export const SECRET = 'hunter2';
const MESSAGE = `password ${SECRET} in /srv/toys/secrets.txt`;

function fail(): never {
  throw new Error(MESSAGE);
}

function wayOf(context: ExecutionContext): unknown {
  return context.switchToHttp().getRequest<Request>().params.way;
}

@Injectable()
class FailingGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return wayOf(context) === 'guard' ? fail() : true;
  }
}

@Injectable()
class FailingInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler<Toy>): Observable<Toy> {
    if (wayOf(context) === 'interceptor before') fail();
    const response = context.switchToHttp().getResponse<Response>();
    if (wayOf(context) === 'after a part of JSON') {
      response.status(200).type('json').write('{"name":"half');
      fail();
    }
    if (wayOf(context) === 'after the response') {
      response.json({ name: 'Ball' });
      fail();
    }
    return next.handle().pipe(map((toy) => (wayOf(context) === 'interceptor after' ? fail() : toy)));
  }
}

@Injectable()
class FailingPipe implements PipeTransform<string, string> {
  transform(way: string): string {
    return way === 'pipe' ? fail() : way;
  }
}

class ForFailingFilter extends Error {}

@Catch(ForFailingFilter)
class FailingFilter implements ExceptionFilter {
  catch(): void {
    fail();
  }
}

const WAYS: Record<string, (request: Request, response: Response) => unknown> = {
  error: fail,
  rejection: () => Promise.reject(new Error(MESSAGE)),
  sql: () => {
    throw new QueryFailedError('SELECT * FROM passwords', [SECRET], new Error(`SQLITE_CONSTRAINT: ${MESSAGE}`));
  },
  cause: () => {
    throw new Error('outer', { cause: new Error(MESSAGE) });
  },
  'http-error': () => {
    throw Object.assign(new Error(MESSAGE), { status: 404, statusCode: 404, expose: true });
  },
  'exception of status 500': () => {
    throw new InternalServerErrorException(MESSAGE);
  },
  string: () => {
    throw MESSAGE;
  },
  object: () => {
    throw { statusCode: 403, message: MESSAGE };
  },
  null: () => {
    throw null;
  },
  undefined: () => {
    throw undefined;
  },
  'rejection with undefined': () => Promise.reject(),
  filter: () => {
    throw new ForFailingFilter();
  },
  'unreadable response': () => ({
    get name() {
      return fail();
    },
  }),
  'error with the request': (request) => {
    throw Object.assign(new Error('The toy could not be fetched.'), { request, config: { headers: request.headers } });
  },
};

/** Fails in every way, and succeeds for any other name. */
@Controller('failing-toys')
export class FailingToysController {
  @Get(':way')
  @UseGuards(FailingGuard)
  @UseInterceptors(FailingInterceptor)
  @UseFilters(FailingFilter)
  get(
    @Param('way', FailingPipe) way: string,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): unknown {
    return WAYS[way]?.(request, response) ?? { name: 'Ball' };
  }
}
