import type { NewRow } from '../platform/database/tables/keyset-table.js';
import type { PetEntity } from '../pets/pet.entity.js';
import { PetStatus } from '../pets/pet-status.js';

/** A number from 0 to below 1. */
type Random = () => number;

const NAMES = (
  'Bella Luna Max Charlie Milo Coco Rocky Daisy Nala Simba Oscar Leo Ruby Buddy Molly Toby Lola Jack Rosie Duke Finn ' +
  "Pepper Ziggy Hazel Gus Zoë Søren Günther Amélie Muñeca Łatka Мурка Ρεξ 小白 ハチ บุญมี O'Malley"
).split(' ');
const BYNAMES = ['the Brave', 'the Second', 'the Small', 'of the Garden', 'Junior', 'the Sleepy', 'Whiskers', 'Paws'];

const STATUSES: readonly (readonly [share: number, status: PetStatus | undefined])[] = [
  [0.55, PetStatus.available],
  [0.3, PetStatus.sold],
  [0.1, PetStatus.pending],
  [0.05, undefined],
];

/** The greatest category; the greater the number, the rarer, like dogs and axolotls. */
const CATEGORIES = 40;

/** A pet as a shop has it: common and rare names, mostly available, some without a status. */
export function realisticPet(random: Random = Math.random): NewRow<PetEntity> {
  const name = random() < 0.3 ? `${oneOf(NAMES, random)} ${oneOf(BYNAMES, random)}` : oneOf(NAMES, random);
  const categoryId = BigInt(1 + Math.floor(CATEGORIES * random() ** 3));
  const status = statusAt(random());
  return { name, categoryId, ...(status && { status }) };
}

function oneOf(names: readonly string[], random: Random): string {
  // `random` is below 1.
  return names[Math.floor(random() * names.length)]!;
}

function statusAt(point: number): PetStatus | undefined {
  let rest = point;
  return STATUSES.find(([share]) => (rest -= share) < 0)?.[1];
}
