import { Controller, Get, Param } from '@nestjs/common';

const TOY = { name: 'Ball', price: 9_223_372_036_854_775_807n, maker: { name: 'Ann' } };

const WAYS: Record<string, object> = {
  exact: TOY,
  undeclared: { ...TOY, secret: 'hunter2', maker: { name: 'Ann', salary: 1 } },
  lacking: { ...TOY, name: undefined },
  'lacking inside': { ...TOY, maker: {} },
  'null text': { ...TOY, name: null },
  'null number': { ...TOY, price: null },
  'null object': { ...TOY, maker: null },
  nullable: { ...TOY, note: null, parent: null },
  date: { ...TOY, madeAt: new Date('2026-11-20T10:00:00.000Z') },
};

@Controller()
export class StoredToysController {
  @Get('stored-toys/:way')
  get(@Param('way') way: string): object {
    return WAYS[way]!;
  }

  @Get('stock')
  stock(): Record<string, number> {
    return { ball: 3, car: 0 };
  }

  @Get('facts')
  facts(): object {
    return { ball: { isRound: true }, car: [4, 'wheels'] };
  }
}
