import { Controller, Get, HttpStatus, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Response } from 'express';
import { Readiness } from './readiness.js';

/** For orchestrators and load balancers. Requires no key and is not part of the contract. */
@ApiExcludeController()
@Controller()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  /** The process responds. */
  @Get('live')
  live(): { status: 'live' } {
    return { status: 'live' };
  }

  /** The service can serve requests. */
  @Get('ready')
  async ready(@Res({ passthrough: true }) response: Response): Promise<object> {
    const report = await this.readiness.check();
    if (report.status !== 'ready') response.status(HttpStatus.SERVICE_UNAVAILABLE);
    return report;
  }
}
