import { Controller, Get, Injectable, NotFoundException, Param, ParseIntPipe } from '@nestjs/common';
import type { ArgumentMetadata, PipeTransform } from '@nestjs/common';
import type { Toy } from '../toy.dto.js';

@Injectable()
class ColorPipe implements PipeTransform<string, string> {
  transform(value: string, { data, type }: ArgumentMetadata): string {
    if (value === 'RED') return value.toLowerCase();
    throw new NotFoundException(`The ${type} ${data} does not accept ${value}.`);
  }
}

@Controller()
export class PipedToysController {
  @Get('painted-toys/:color')
  getPainted(@Param('color', ColorPipe) color: string): Toy {
    return { name: `${color} ball` };
  }

  @Get('numbered-toys/:number')
  getNumbered(@Param('number', ParseIntPipe) number: number): { number: number } {
    return { number: number + 1 };
  }
}
