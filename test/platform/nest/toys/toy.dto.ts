import { IsString } from 'class-validator';

export class Toy {
  @IsString()
  name: string;
}
