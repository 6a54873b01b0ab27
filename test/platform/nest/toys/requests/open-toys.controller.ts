import { Controller, Get } from '@nestjs/common';
import type { Toy } from '../toy.dto.js';

@Controller('open-toys')
export class OpenToysController {
  @Get()
  list(): Toy {
    return { name: 'Ball' };
  }
}

@Controller({ path: 'hosted-toys', host: 'toys.test' })
export class HostedToysController {
  @Get()
  list(): Toy {
    return { name: 'Ball' };
  }
}
