import { ConflictException, Controller, Get, type MessageEvent, Param, Sse } from '@nestjs/common';
import { setTimeout } from 'node:timers/promises';
import { delay, of, throwError } from 'rxjs';
import type { Observable } from 'rxjs';
import type { Toy } from '../toy.dto.js';

const WAYS: Record<string, () => Promise<Toy> | Observable<Toy> | Promise<Observable<Toy>>> = {
  promise: () => setTimeout(2, { name: 'Ball' }),
  rejection: async () => {
    await setTimeout(2);
    throw new ConflictException('The toy is taken.');
  },
  observable: () => of({ name: 'Cube' }, { name: 'Ball' }).pipe(delay(2)),
  'failing observable': () => throwError(() => new ConflictException('The toy is taken.')),
  'promised observable': async () => of({ name: 'Ball' }),
};

@Controller()
export class LateToysController {
  @Sse('news')
  follow(): Observable<MessageEvent> {
    return of({ data: { name: 'Ball' } }, { data: 'sold out' });
  }

  @Get('late-toys/:way')
  get(@Param('way') way: string): Promise<Toy> | Observable<Toy> | Promise<Observable<Toy>> {
    return WAYS[way]!();
  }
}
