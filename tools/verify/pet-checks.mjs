import { differencesOf } from './differences.mjs';

const INT64 = ['9223372036854775807', '-9223372036854775808', '9007199254740993'];

const check = (operation, what, status, run) => ({ operation: operation.id, what, status, run });

/** What the specification promises about pets beyond single values: exact integers, filters, pages and addresses. */
export function petChecks(operations, instance, name) {
  const [list, create, get] = ['listPets', 'createPet', 'getPet'].map((id) =>
    operations.find((each) => each.id === id),
  );
  const limit = list.parameters.find((parameter) => parameter.name === 'limit').schema;
  const page = async (query) => {
    const response = await instance.call('GET', `/pets${query}`);
    return { response, differences: differencesOf(list, response, 200), size: response.json?.length };
  };
  const add = (members) => instance.call('POST', '/pets', { body: `{"name":${JSON.stringify(name)},${members}}` });
  /** More than a page holds by default, so that the default is visible. */
  const fill = async () => {
    const { size } = await page(`?limit=${Number(limit.default) + 1}`);
    for (let count = size ?? 0; count <= Number(limit.default); count += 1) await add('"categoryId":1');
  };

  return [
    ...INT64.flatMap((number) => {
      let added;
      const what = `categoryId ${number}, digit for digit`;
      const isExact = ({ text }) => new RegExp(`"categoryId":${number}[,}]`).test(text);
      return [
        check(create, what, 201, async () => {
          added = await add(`"categoryId":${number},"status":"sold"`);
          return [...differencesOf(create, added, 201), ...(isExact(added) ? [] : [`the body has not ${number}`])];
        }),
        check(get, what, 200, async () => {
          const location = added?.headers.get('location');
          if (!location) return ['no Location of a pet to get'];
          const read = await instance.call('GET', instance.relative(location));
          const isSame = isExact(read) && read.text === added.text;
          return [...differencesOf(get, read, 200), ...(isSame ? [] : ['the body differs from that of the creation'])];
        }),
      ];
    }),
    check(create, 'a pet without a status stays without', 201, async () => {
      const added = await add('"categoryId":1');
      return [
        ...differencesOf(create, added, 201),
        ...(added.json && 'status' in added.json ? ['the body has a status'] : []),
      ];
    }),
    check(list, `without limit, at most ${limit.default}`, 200, async () => {
      await fill();
      const [without, explicit] = [await page(''), await page(`?limit=${limit.default}`)];
      const found = [...without.differences, ...explicit.differences];
      if (without.size !== Number(limit.default)) found.push(`${without.size} pets instead of ${limit.default}`);
      return found;
    }),
    check(list, 'limit=1 is obeyed, and the next page is another one', 200, async () => {
      const { response, differences, size } = await page('?limit=1');
      if (size !== 1) return [...differences, `${size} pets instead of 1`];
      const next = /<([^>]+)>; *rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
      if (next === undefined) return [...differences, 'no Link with rel="next"'];
      const second = await instance.call('GET', instance.relative(next));
      const isOther = second.text !== response.text && second.json?.length === 1;
      return [
        ...differences,
        ...differencesOf(list, second, 200),
        ...(isOther ? [] : ['the next page is not another one']),
      ];
    }),
    check(list, `limit=${limit.maximum} is accepted`, 200, async () => {
      const { differences, size } = await page(`?limit=${limit.maximum}`);
      return size > Number(limit.maximum) ? [...differences, `${size} pets`] : differences;
    }),
    ...list.parameters
      .find((parameter) => parameter.name === 'status')
      .schema.enum.map((status) =>
        check(list, `status=${status} lists no other`, 200, async () => {
          const { response, differences } = await page(`?status=${status}&limit=100`);
          const others = (response.json ?? []).filter((pet) => pet.status !== status).length;
          return others > 0 ? [...differences, `${others} pets with another status`] : differences;
        }),
      ),
    check(list, 'HEAD has no body', 200, async () => {
      const response = await instance.call('HEAD', '/pets');
      return [...differencesOf(list, response, 200), ...(response.text ? ['it has a body'] : [])];
    }),
  ];
}
