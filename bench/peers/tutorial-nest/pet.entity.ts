import { Transform } from 'class-transformer';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

@Entity('pets')
export class Pet {
  @PrimaryGeneratedColumn()
  id: number;

  @Column('text')
  name: string;

  @Column('integer')
  categoryId: number;

  @Column('text', { nullable: true })
  @Transform(({ value }) => value ?? undefined)
  status?: string | null;
}
