import { differencesOf } from '../differences.mjs';
import { memberDifferences } from '../exact-json.mjs';
import { listChecks } from './list-checks.mjs';
import { ABSENT } from '../valid-requests.mjs';
import { json } from '../violations.mjs';

/**
 * What encodings and other layers change: letters beyond ASCII, also in two parts, an invisible space, and what HTML, SQL, URLs and
 * JSON escape, between spaces.
 */
const TEXT = '  \u00e9e\u0301\u200b\u65e5\u{1f600} <b>&amp;</b> \' " \\ %41 ';
/** Letters beyond what a column of text holds where it has a limit by default. */
const LONG = 1_000;
/** The type that many libraries send. */
const WITH_CHARSET = 'application/json; charset=utf-8';
/** An id that no instance has assigned yet. */
const UNUSED_ID = BigInt(ABSENT);
/** Bounds, one that a double rounds, and one that counts as absent where a check is careless. */
const INTEGERS = [9223372036854775807n, -9223372036854775808n, 9007199254740993n, 0n];

/** The operations that have checks here. */
export const OF_PETS = ['listPets', 'createPet', 'getPet'];

/** What the specification promises about pets beyond single values: what is stored is what was sent, digit for digit. */
export function petChecks(operations, instance, name) {
  const [list, create, get] = OF_PETS.map((id) => operations.find((each) => each.id === id));
  const [statuses, limit] = ['status', 'limit'].map((parameter) =>
    list.parameters.find((each) => each.name === parameter),
  );
  /** Every pet that was added, as it was sent, with its id. */
  const pets = [];

  /** `more` is sent as well, and must be ignored. */
  const add = async (members, more = {}, options = {}) => {
    const sent = { name, ...members };
    const response = await instance.call('POST', '/pets', { ...options, body: json({ ...sent, ...more }) });
    const pet = { id: response.exact?.id, ...sent };
    const differences = differencesOf(create, response, 201);
    if (response.status !== 201) return { response, differences };
    if (typeof pet.id === 'bigint') pets.push(pet);
    return { response, pet, differences: [...differences, ...memberDifferences(response.exact, pet)] };
  };
  /** More than a page holds by default, so that the default is visible. */
  const fill = async () => {
    const size = (await instance.call('GET', `/pets?limit=${limit.schema.default + 1n}`)).json?.length ?? 0;
    for (let count = size; count <= Number(limit.schema.default); count += 1) {
      await add({ categoryId: 1n, status: statuses.schema.enum[count % statuses.schema.enum.length] });
    }
  };

  const addWithMore = async () => {
    const { pet, differences } = await add({ categoryId: 1n }, { id: UNUSED_ID, verify: [UNUSED_ID] });
    return pet?.id === UNUSED_ID ? [...differences, 'the pet has the id that was sent'] : differences;
  };

  const addTwice = async () => {
    const [first, second] = [await add({ categoryId: 1n }), await add({ categoryId: 1n })];
    const isSame = first.pet !== undefined && first.pet.id === second.pet?.id;
    return [
      ...first.differences,
      ...second.differences,
      ...(isSame ? ['the second pet has the id of the first one'] : []),
    ];
  };

  const stored = (what, members) => {
    let added;
    return [
      check(create, what, 201, async () => {
        added = await add(members);
        return added.differences;
      }),
      check(get, what, 200, async () => {
        const location = added?.response.headers.get('location');
        if (!location) return ['no Location of a pet to get'];
        const read = await instance.call('GET', instance.relative(location));
        const isSame = read.text === added.response.text;
        return [
          ...differencesOf(get, read, 200),
          ...memberDifferences(read.exact, added.pet),
          ...(isSame ? [] : ['the body differs from that of the creation']),
        ];
      }),
    ];
  };

  return [
    ...INTEGERS.flatMap((categoryId, index) =>
      stored(`categoryId ${categoryId}, digit for digit`, {
        categoryId,
        status: statuses.schema.enum.at(-1 - (index % statuses.schema.enum.length)),
      }),
    ),
    ...stored('a pet without a status stays without', { categoryId: -9007199254740993n }),
    ...stored('a name with letters of all kinds, character for character', { name: `${name}${TEXT}`, categoryId: 1n }),
    ...stored(`a name of more than ${LONG} letters`, { name: `${name} ${'long '.repeat(LONG / 5)}`, categoryId: 1n }),
    ...(create.body.isOpen
      ? [check(create, 'an id and members that are not declared are ignored', 201, addWithMore)]
      : []),
    check(create, `a body of ${WITH_CHARSET}`, 201, async () => {
      const { differences } = await add({ categoryId: 1n }, {}, { type: WITH_CHARSET });
      return differences;
    }),
    check(create, 'the same request without an Idempotency-Key adds another pet', 201, addTwice),
    check(get, 'HEAD has the headers of GET', 200, async () =>
      pets.length === 0
        ? ['no pet to get']
        : differencesOf(get, await instance.call('HEAD', `/pets/${pets[0].id}`), 200),
    ),
    ...listChecks({ list, limit: limit.schema, statuses: statuses.schema.enum, instance, name, pets, fill }),
  ];
}

const check = (operation, what, status, run) => ({ operation: operation.id, what, status, run });
