import { differencesOf } from '../differences.mjs';
import { memberDifferences } from '../exact-json.mjs';

/** Pages of a walk. Beyond them, the pets that were added, whose ids are the greatest, are not looked for. */
const LONGEST_WALK = 200;
/** Pages that are compared for each of the other limits. */
const FEW = 3;

/** What the specification promises about lists: every pet once, in order, and pages and filters that lose none. */
export function listChecks({ list, limit, statuses, instance, name, pets, fill }) {
  const [least, usual, most] = [1, Number(limit.default), Number(limit.maximum)];
  const check = (what, run, otherwise) => ({ operation: list.id, what, status: 200, run, otherwise });
  const page = async (query) => {
    const response = await instance.call('GET', `/pets${query}`);
    return { response, differences: differencesOf(list, response, 200), size: response.json?.length };
  };
  const walk = (query, size, pages) => walkOf(list, instance, query, size, pages);
  /** The pets of the longest walk. */
  let all = [];
  /** The first pages with another limit must have the same pets. */
  const compare = async (query, size, expected) => {
    const { pets: found, differences, isComplete } = await walk(query, size, FEW);
    if (differences.length > 0) return differences;
    const first = expected.slice(0, found.length);
    const missing = isComplete && expected.length > found.length ? [`pet ${expected[found.length].id} is missing`] : [];
    return [...comparison(found.slice(0, first.length), first), ...missing].slice(0, 1);
  };

  /** The first two pages without a limit must begin as those with the usual one, which were read before: pets are only added. */
  const asWithLimit = async (query) => {
    const [explicit, without] = [await firstPages(`?limit=${usual}&${query}`), await firstPages(`?${query}`)];
    const differences = [...explicit, ...without].flatMap((each) => differencesOf(list, each, 200));
    if (differences.length > 0) return differences;
    if (without.length < explicit.length) return ['no Link with rel="next"'];
    const longest = Math.max(...without.map(({ exact }) => exact.length));
    if (longest > usual) return [`a page of ${longest} pets`];
    return explicit
      .flatMap(({ exact }, index) => comparison(without[index].exact.slice(0, exact.length), exact))
      .slice(0, 1);
  };
  const firstPages = async (query) => {
    const first = await instance.call('GET', `/pets${query}`);
    const next = nextOf(first);
    return next === undefined ? [first] : [first, await instance.call('GET', instance.relative(next))];
  };

  return [
    check(`without limit, at most ${usual}`, async () => {
      await fill();
      const without = await page('');
      if (without.size !== usual) return [...without.differences, `${without.size} pets instead of ${usual}`];
      return asWithLimit('');
    }),
    check(`without limit, the pages of status=${statuses[0]} are those of limit=${usual}`, () =>
      asWithLimit(`status=${statuses[0]}`),
    ),
    check('a query parameter that is not declared is ignored', async () => {
      const { response, differences } = await page(`?limit=${least}&verify=1`);
      const expected = (await page(`?limit=${least}`)).response.text;
      return [...differences, ...(response.text === expected ? [] : ['it changes the page'])];
    }),
    check(`limit=${least} is obeyed, and the next page is another one`, async () => {
      const { response, differences, size } = await page(`?limit=${least}`);
      if (size !== least) return [...differences, `${size} pets instead of ${least}`];
      const next = nextOf(response);
      if (next === undefined) return [...differences, 'no Link with rel="next"'];
      const second = await instance.call('GET', instance.relative(next));
      const isOther = second.text !== response.text && second.json?.length === least;
      return [
        ...differences,
        ...differencesOf(list, second, 200),
        ...(isOther ? [] : ['the next page is not another one']),
      ];
    }),
    {
      ...check('a cursor that no Link header had', async () => {
        const next = nextOf(await instance.call('GET', `/pets?limit=${least}`));
        if (next === undefined) return ['no Link with rel="next"'];
        return differencesOf(list, await instance.call('GET', withOtherCursor(instance.relative(next))), 400);
      }),
      status: 400,
    },
    check(
      'all pages have each pet that was added, digit for digit, once and in ascending order',
      async () => {
        const found = await walk('', most, LONGEST_WALK);
        all = found.pets;
        if (found.differences.length > 0) return found.differences;
        const byId = new Map(all.map((pet) => [pet.id, pet]));
        const added = pets.filter(({ id }) => found.isComplete || byId.has(id));
        const known = new Set(pets.map(({ id }) => id));
        const wrong = [
          ...added.flatMap((pet) => petDifferences(byId.get(pet.id), pet)),
          ...all
            .filter((pet) => String(pet.name).startsWith(name) && !known.has(pet.id))
            .map(({ id }) => `pet ${id} was added by no request`),
        ];
        // Too many other pets come before them.
        return wrong.length === 0 && added.length < pets.length ? undefined : wrong;
      },
      `${list.id} beyond ${LONGEST_WALK * most} pets`,
    ),
    ...[2, 3, usual - 1, usual + 1, most - 1].map((size) =>
      check(`limit=${size} has pages of the same pets`, () => compare('', size, all)),
    ),
    ...statuses.flatMap((status) => [
      check(`status=${status} lists all pets with it, and no other`, async () => {
        const { pets: found, differences, isComplete } = await walk(`&status=${status}`, most, LONGEST_WALK);
        const others = found.filter((pet) => pet.status !== status).length;
        if (others > 0) return [...differences, `${others} pets with another status`];
        if (differences.length > 0) return differences;
        // Other callers may add pets meanwhile, and either walk may have ended early.
        const last = isComplete ? all.at(-1)?.id : found.at(-1)?.id;
        const isBoth = ({ id }) => id <= last && id <= (all.at(-1)?.id ?? id);
        return comparison(
          found.filter(isBoth),
          all.filter((pet) => pet.status === status && isBoth(pet)),
        ).slice(0, 1);
      }),
      check(`status=${status} and limit=2 have pages of the same pets`, () =>
        compare(
          `&status=${status}`,
          2,
          all.filter((pet) => pet.status === status),
        ),
      ),
    ]),
    check('HEAD has no body', async () => {
      const response = await instance.call('HEAD', '/pets');
      return [...differencesOf(list, response, 200), ...(response.text ? ['it has a body'] : [])];
    }),
  ];
}

/** The pets of at most some pages, and what is wrong with these pages. */
async function walkOf(list, instance, query, size, pages) {
  const pets = [];
  let path = `/pets?limit=${size}${query}`;
  for (let count = 0; count < pages; count += 1) {
    const response = await instance.call('GET', path);
    const found = Array.isArray(response.exact) ? response.exact : [];
    const differences = differencesOf(list, response, 200);
    if (found.length > size) differences.push(`a page of ${found.length} pets`);
    for (const { id } of found.filter((pet, index) => index > 0 && !(pet.id > found[index - 1].id)).slice(0, 1)) {
      differences.push(`pet ${id} is out of order, or listed twice`);
    }
    if (pets.length > 0 && found.length > 0 && !(found[0].id > pets.at(-1).id)) {
      differences.push(`the next page begins with pet ${found[0].id} after pet ${pets.at(-1).id}`);
    }
    if (count > 0 && found.length === 0) differences.push('rel="next" leads to an empty page');
    pets.push(...found);
    const next = nextOf(response);
    if (next !== undefined && found.length < size) differences.push(`rel="next" after a page of ${found.length} pets`);
    if (differences.length > 0 || next === undefined) return { pets, differences, isComplete: next === undefined };
    path = instance.relative(next);
  }
  return { pets, differences: [], isComplete: false };
}

function nextOf({ headers }) {
  return /<([^>]+)>; *rel="next"/.exec(headers.get('link') ?? '')?.[1];
}

/** One digit of the cursor is another one, so that its form stays valid. */
const withOtherCursor = (path) =>
  path.replace(/(?<=[?&]cursor=[^&]*)\d(?=&|$)/, (digit) => String((Number(digit) + 1) % 10));

/** Two lists in ascending order of id. */
function comparison(found, expected) {
  return expected
    .flatMap((pet, index) => petDifferences(found[index], pet))
    .concat(found.slice(expected.length).map(({ id }) => `pet ${id} is not in the list without a filter`));
}

function petDifferences(found, expected) {
  if (found === undefined || found.id > expected.id) return [`pet ${expected.id} is missing`];
  if (found.id < expected.id) return [`pet ${found.id} does not belong there`];
  return memberDifferences(found, expected).map((difference) => `pet ${expected.id}: ${difference}`);
}
