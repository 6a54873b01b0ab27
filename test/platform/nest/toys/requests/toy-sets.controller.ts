import { Body, Controller, ParseArrayPipe, Post } from '@nestjs/common';
import { Trace } from '../trace.js';
import { Part, ToySet, Wish } from './toy-sets.dto.js';
import { Toy } from '../toy.dto.js';

@Controller()
export class ToySetsController {
  constructor(private readonly trace: Trace) {}

  @Post('toy-sets')
  add(@Body() set: ToySet): ToySet {
    const hasInstances =
      set instanceof ToySet && set.maker instanceof Toy && set.parts.every((part) => part instanceof Part);
    this.trace.note(`${hasInstances ? 'instances' : 'plain objects'} of ${Object.keys(set).toSorted().join(', ')}`);
    return set;
  }

  @Post('toy-boxes')
  addBox(@Body(new ParseArrayPipe({ items: Toy })) toys: Toy[]): { seen: string[] } {
    return { seen: toys.map((toy) => `${toy.constructor.name} ${toy.name}`) };
  }

  @Post('wishes')
  wish(@Body() wish?: Wish): { seen: string[] } {
    return { seen: [wish?.note ?? 'no note'] };
  }
}
