import type { Schemas } from '../../client/src/client.js';
import { createDataSource } from '../../src/data-source.js';
import { PetEntity } from '../../src/pets/pet.entity.js';
import type { HttpResponse } from './http/http-response.js';
import { untilServed } from './http/until-served.js';
import type { Client } from './http/client.js';
import type { StartedApp } from './start-app.js';
import { patientConfig } from './databases/time-limits.js';

/** A pet as in requests and responses that are read as text: a number of JSON is a bigint only beyond 2^53. */
export type Pet = AsJson<Schemas['Pet']>;
export type NewPet = AsJson<Schemas['NewPet']>;
type AsJson<T> = { readonly [Name in keyof T]: T[Name] extends bigint ? number | bigint : T[Name] };

/** The pets as the typed client returns them. */
export const typed = (pets: readonly Pet[]): Schemas['Pet'][] =>
  pets.map((pet) => ({ ...pet, id: BigInt(pet.id), categoryId: BigInt(pet.categoryId) }));

const asJson = (value: bigint): number | bigint => (Number.isSafeInteger(Number(value)) ? Number(value) : value);

export const idOf = ({ id }: Pet): number => Number(id);

export const STATUSES = ['available', 'pending', 'sold'] as const;

/** Adds pets one by one, so their ids follow the order of the list. */
export async function addPets(api: Client, pets: readonly Partial<NewPet>[]): Promise<Pet[]> {
  const added: Pet[] = [];
  for (const pet of pets) added.push(await addPet(api, pet));
  return added;
}

export async function addPet(api: Client, pet: Partial<NewPet> = {}): Promise<Pet> {
  const { categoryId = 7, ...rest } = pet;
  const result = await api.call.createPet({ body: { name: 'Rex', ...rest, categoryId: BigInt(categoryId) } });
  if (!result.ok) throw new Error(`the pet was not added: ${result.body.message}`);
  return { ...result.body, id: asJson(result.body.id), categoryId: asJson(result.body.categoryId) };
}

/** More pets than fit on the largest page: 40 available, 40 pending, 20 sold, 5 without a status. */
export function addCatalogue(api: Client): Promise<Pet[]> {
  return addPets(api, [
    ...numbered(40, { status: 'available' }),
    ...numbered(40, { status: 'pending' }),
    ...numbered(20, { status: 'sold' }),
    ...numbered(5),
  ]);
}

/** `count` pets with different names. */
export function numbered(count: number, pet: Partial<NewPet> = {}): Partial<NewPet>[] {
  return Array.from({ length: count }, (_, index) => ({ ...pet, name: `pet ${index + 1}` }));
}

/** Writes pets directly to the database, with ids that the service would not assign soon. */
export async function storePets({ databaseUrl }: StartedApp, pets: readonly Pet[]): Promise<void> {
  const rows = pets.map(({ id, name, categoryId, status = null }) => ({
    id: BigInt(id),
    name,
    categoryId: BigInt(categoryId),
    status: status as PetEntity['status'],
  }));
  const dataSource = await createDataSource(patientConfig(databaseUrl));
  await dataSource.initialize();
  await dataSource.getRepository(PetEntity).insert(rows);
  await dataSource.destroy();
}

/** The target of the `Link` header; undefined on the last page. */
export function nextTarget(response: HttpResponse): string | undefined {
  const link = response.header('link');
  if (link === undefined) return undefined;
  const target = /^<([^>]+)>; rel="next"$/.exec(link)?.[1];
  if (target === undefined) throw new Error(`the header Link is ${link}`);
  return target;
}

/** Follows the `Link` headers to the last page. */
export async function* pages(api: Client, target: string): AsyncGenerator<Pet[]> {
  for (let next: string | undefined = target; next !== undefined;) {
    const at = next;
    const response = await untilServed(() => api.get(at));
    if (response.status !== 200) throw new Error(`the page ${next} returned ${response.status}`);
    yield response.json as Pet[];
    next = nextTarget(response);
  }
}

export async function walk(api: Client, target: string): Promise<Pet[]> {
  const pets: Pet[] = [];
  for await (const page of pages(api, target)) pets.push(...page);
  return pets;
}
