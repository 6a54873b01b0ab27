import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { placeInSource } from '../../src/platform/process/place-in-source.js';

const ENTITY = `import { Column } from 'typeorm';

export class Thing {
  colour: string;
}

@Entity('things')
export class ThingEntity extends Thing {
  @Column({ type: 'text' })
  name: string;

  size?: number = 1;

  onLoad() {}
}

const other = {
  weight: 1,
};
`;

let root: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'sources-'));
  mkdirSync(join(root, 'src', 'things'), { recursive: true });
  writeFileSync(join(root, 'src', 'main.ts'), '');
  writeFileSync(join(root, 'src', 'things', 'thing.entity.ts'), ENTITY);
  writeFileSync(join(root, 'src', 'things', 'part.ts'), 'export class Part {\n  a: string;\n  b: string;\n}\n');
  writeFileSync(join(root, 'src', 'part.ts'), '\nexport class Part {\n  a: string;\n}\n');
});

afterAll(() => rmSync(root, { recursive: true }));

describe('placeInSource', () => {
  it.each([
    ['a class', 'ThingEntity', undefined, 8],
    ['a class whose name begins another', 'Thing', undefined, 3],
    ['a property', 'ThingEntity', 'name', 10],
    ['a property with a value', 'ThingEntity', 'size', 12],
    ['a method', 'ThingEntity', 'onLoad', 14],
    ['an inherited property, by the class', 'ThingEntity', 'colour', 8],
    ['a property that only follows the class', 'ThingEntity', 'weight', 8],
  ])('finds %s', (_, name, property, line) => {
    expect(placeInSource(name, property, root)).toBe(`src/things/thing.entity.ts:${line}`);
  });

  it.each([
    ['in all files that have it', undefined, 'src/part.ts:2 or src/things/part.ts:1'],
    ['in all files that have the property', 'a', 'src/part.ts:3 or src/things/part.ts:2'],
    ['in the only file that has the property', 'b', 'src/things/part.ts:3'],
    ['in all files, for an inherited property', 'c', 'src/part.ts:2 or src/things/part.ts:1'],
  ])('finds a name that two files give to a class %s', (_, property, places) => {
    expect(placeInSource('Part', property, root)).toBe(places);
  });

  it('finds nothing where the class or the sources are absent', () => {
    expect(placeInSource('ToyEntity', undefined, root)).toBeUndefined();
    expect(placeInSource('ThingEntity', undefined, join(root, 'src'))).toBeUndefined();
  });

  it('finds the entities of the service', () => {
    expect(placeInSource('PetEntity', 'status')).toMatch(/^src\/pets\/pet\.entity\.ts:\d+$/);
  });
});
