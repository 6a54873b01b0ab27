import {
  Catch,
  Controller,
  Get,
  GoneException,
  InternalServerErrorException,
  HttpException,
  Param,
  ServiceUnavailableException,
  UseFilters,
} from '@nestjs/common';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';
import type { Toy } from '../toy.dto.js';

class OutOfStock extends HttpException {
  constructor() {
    super('The toy is out of stock.', 409);
  }
}

class Teapot extends HttpException {
  constructor() {
    super({ message: 'The toy is a teapot.' }, 418);
  }
}

class PaintIsWet extends Error {}

@Catch(PaintIsWet)
class PaintIsWetFilter implements ExceptionFilter<PaintIsWet> {
  catch(error: PaintIsWet, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<Response>();
    response.status(409).json({ code: 'PAINT_IS_WET', message: error.message, status: 409 });
  }
}

/** As http-errors makes them. */
function httpError(status: number, message: string, expose: boolean): Error {
  return Object.assign(new Error(message), { status, statusCode: status, expose });
}

const REASONS: Record<string, () => Error> = {
  'out-of-stock': () => new OutOfStock(),
  teapot: () => new Teapot(),
  gone: () => new GoneException(['The toy is gone.', 'It will not come back.']),
  maintenance: () => new ServiceUnavailableException('The shelves are being cleaned.'),
  broken: () => new InternalServerErrorException('The secret is hunter2.'),
  lent: () => httpError(409, 'The toy is lent.', true),
  secret: () => httpError(409, 'The secret is hunter2.', false),
  steeping: () => httpError(418, 'The toy is a teapot.', true),
  wet: () => new PaintIsWet('The paint is wet.'),
};

@Controller('sold-toys')
export class SoldToysController {
  @Get(':reason')
  @UseFilters(PaintIsWetFilter)
  get(@Param('reason') reason: string): Toy {
    throw REASONS[reason]!();
  }
}
