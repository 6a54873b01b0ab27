import { beforeAll, describe, expect, it } from '@jest/globals';
import { expectRetry, whileLocked } from '../../support/outages.js';
import { bodyOf, DATABASE_UNAVAILABLE, outcome } from '../../properties/outcome.js';
import type { Schemas } from '../../../client/src/client.js';
import { type Pet, STATUSES } from '../../support/pets.js';
import { type StartedApp, startApp } from '../../support/start-app.js';
import { STRETCHED } from '../../support/databases/time-limits.js';

type NewPet = Schemas['NewPet'];

const NEW_PET: NewPet = { name: 'Rex', categoryId: 7n };
/** The same pet in a response that is read without the typed client. */
const AS_TEXT = { name: 'Rex', categoryId: 7 };

describe('POST /pets', () => {
  let service: StartedApp;

  beforeAll(async () => {
    service = await startApp();
  });

  /** The new pet without its id, as the creation, a GET of the pet and the list return it. */
  const addAndRead = async (body: NewPet): Promise<unknown[]> => {
    const created = bodyOf(await service.api.call.createPet({ body }));
    const fetched = bodyOf(await service.api.call.getPet({ path: { petId: created.id } }));
    const listed = bodyOf(await service.api.call.listPets({ query: { limit: 100 } })).at(-1)!;
    return [created, fetched, listed].map(({ id, ...pet }) => (id === created.id ? pet : id));
  };

  /** The same for a body that is sent as text. */
  const addTextAndRead = async (body: string): Promise<unknown[]> => {
    const created = await service.api.post('/v1/pets', body);
    const fetched = await service.api.get(created.header('location') ?? 'none');
    const listed = await service.api.get('/v1/pets?limit=100');
    const all = [created.json, fetched.json, (listed.json as Pet[]).at(-1)] as Pet[];
    return all.map(({ id, ...pet }) => (id === all[0]!.id ? pet : id));
  };

  it('adds a pet and assigns its id', async () => {
    const { api } = await startApp();
    const response = await api.call.createPet({ body: { ...NEW_PET, status: 'available' } });
    const pet: Schemas['Pet'] = { id: 1n, name: 'Rex', categoryId: 7n, status: 'available' };
    expect(outcome(response)).toStrictEqual({ status: 201, body: pet });
    expect(response.status === 201 && response.headers.get('Location')).toBe('/v1/pets/1');
    expect(outcome(await api.call.getPet({ path: { petId: 1n } }))).toStrictEqual({ status: 200, body: pet });
    expect(outcome(await api.call.listPets())).toStrictEqual({ status: 200, body: [pet] });
  });

  it('assigns each pet a unique id, greater than all earlier ones', async () => {
    const { api } = await startApp();
    const add = () => api.call.createPet({ body: NEW_PET });
    const responses = await Promise.all(Array.from({ length: 50 }, add));
    const ids = responses.map((response) => Number(bodyOf(response).id));
    expect(ids.toSorted((a, b) => a - b)).toStrictEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    expect(outcome(await add())).toStrictEqual({ status: 201, body: { id: 51n, ...NEW_PET } });
  });

  it('returns each of many concurrent callers the id of their own pet', async () => {
    const { api } = await startApp();
    const names = Array.from({ length: 50 }, (_, index) => `pet ${index}`);
    const responses = await Promise.all(names.map((name) => api.call.createPet({ body: { ...NEW_PET, name } })));
    const created = responses.map(bodyOf);
    expect(created.map(({ name }) => name)).toStrictEqual(names);
    const stored = bodyOf(await api.call.listPets({ query: { limit: 100 } }));
    expect(stored).toStrictEqual(created.toSorted((one, other) => Number(one.id) - Number(other.id)));
  });

  it('adds another pet when the request is repeated', async () => {
    const { api } = await startApp();
    await api.call.createPet({ body: NEW_PET });
    await api.call.createPet({ body: NEW_PET });
    expect(bodyOf(await api.call.listPets())).toStrictEqual([
      { id: 1n, ...NEW_PET },
      { id: 2n, ...NEW_PET },
    ]);
  });

  it('ignores the query', async () => {
    const { api } = await startApp();
    const response = await api.post('/v1/pets?name=Tom&status=sold&limit=0', NEW_PET);
    expect(outcome(response)).toStrictEqual({ status: 201, body: { id: 1, name: 'Rex', categoryId: 7 } });
    expect(response.header('location')).toBe('/v1/pets/1');
  });

  it('sends no deprecation headers', async () => {
    const { deprecation, sunset, link } = (await service.api.post('/v1/pets', NEW_PET)).headers;
    expect({ deprecation, sunset, link }).toStrictEqual({ deprecation: undefined, sunset: undefined, link: undefined });
  });

  it.each(STATUSES)('stores the status %s', async (status) => {
    const pet = { ...NEW_PET, status };
    expect(await addAndRead(pet)).toStrictEqual([pet, pet, pet]);
  });

  it('returns no status when it was omitted on creation', async () => {
    expect(await addAndRead(NEW_PET)).toStrictEqual([NEW_PET, NEW_PET, NEW_PET]);
  });

  it.each([
    ['an empty string', ''],
    ['a space', ' '],
    ['spaces around', '  Rex  '],
    ['one letter', 'R'],
    ['an emoji', '🦊'],
    ['composed emoji', '👩🏽‍🚀👨‍👩‍👧‍👦🏳️‍🌈'],
    ['a letter with a combining mark', 'e\u0301'],
    ['the same letter composed', '\u00e9'],
    ['writing from right to left', 'שלום مرحبا \u202e'],
    ['Chinese', '熊猫'],
    ['a character beyond the basic plane', '\u{10ffff}'],
    ['noncharacters', '\ufffe\uffff'],
    ['the replacement character', '\ufffd'],
    ['a byte order mark', '\ufeff'],
    ['line ends', 'a\nb\r\nc\u2028d\u2029e\u0085'],
    ['control characters', '\u0001\u0008\u001b\u001f\u007f\u009f'],
    ['quotes and backslashes', String.raw`"\'/\"`],
    ['markup', '</script><b>&amp;'],
    ['SQL', `'); DROP TABLE "pets"; --`],
    ['patterns', String.raw`{{7*7}} %s %n $1 $& \1`],
    ['JSON', '{"id":1}'],
    ['a number', '7'],
    ['null', 'null'],
    ['50 kB', 'x'.repeat(50_000)],
    ['50 kB of emoji', '🦊'.repeat(12_500)],
  ])('returns a name exactly as it was sent: %s', async (_, name) => {
    const pet = { name, categoryId: 7n };
    expect(await addAndRead(pet)).toStrictEqual([pet, pet, pet]);
  });

  it.each([
    [String.raw`\u0041\u00e9`, 'Aé'],
    [String.raw`\uD83E\uDD8A`, '🦊'],
    [String.raw`\ud83e\uDd8a`, '🦊'],
    [String.raw`\"\\\/\b\f\n\r\t`, '"\\/\b\f\n\r\t'],
    [String.raw`\\u0000`, String.raw`\u0000`],
  ])('decodes the escapes %s in a name', async (escaped, name) => {
    const pet = { name, categoryId: 7 };
    expect(await addTextAndRead(`{"name":"${escaped}","categoryId":7}`)).toStrictEqual([pet, pet, pet]);
  });

  it('accepts white space wherever JSON allows it', async () => {
    const body = '\r\n\t {\n"name" :\t"Rex"\r, "categoryId"\n:\n7 } \n';
    expect(await addTextAndRead(body)).toStrictEqual([AS_TEXT, AS_TEXT, AS_TEXT]);
  });

  it.each([
    ['1.0', 1],
    ['1e2', 100],
    ['1E+2', 100],
    ['1.5e1', 15],
    ['100e-2', 1],
    ['1000000000000000000000e-21', 1],
    ['-1.0', -1],
    ['-0', 0],
    ['-0.0', 0],
    ['0e999999999', 0],
    ['0.000e-5', 0],
  ])('accepts the integer %s as categoryId', async (token, categoryId) => {
    const pet = { name: 'Rex', categoryId };
    expect(await addTextAndRead(`{"name":"Rex","categoryId":${token}}`)).toStrictEqual([pet, pet, pet]);
  });

  it.each([
    ['an id', '"id":999'],
    ['an id of another type', '"id":"x"'],
    ['null', '"owner":null'],
    ['a string', '"owner":"Ann"'],
    ['NUL and a lone surrogate', String.raw`"owner":"\u0000\ud800"`],
    ['an object', '"owner":{"name":"Ann"}'],
    ['an array', '"tags":["a","b"]'],
    ['a number beyond every type', '"weight":1e999'],
    ['a long number', `"weight":${'9'.repeat(5000)}`],
    ['a hundred levels', `"deep":${'['.repeat(99)}${']'.repeat(99)}`],
    ['other spellings', '"Name":"Tom","STATUS":"sold","category_id":8,"categoryid":9'],
    ['an empty name', '"":1'],
    ['__proto__', '"__proto__":{"status":"sold"}'],
    ['constructor', '"constructor":{"prototype":{"status":"sold"}}'],
    ['methods of objects', '"toString":1,"valueOf":1,"hasOwnProperty":1,"toJSON":1'],
  ])('ignores undeclared members: %s', async (_, member) => {
    const body = `{${member},"name":"Rex","categoryId":7}`;
    expect(await addTextAndRead(body)).toStrictEqual([AS_TEXT, AS_TEXT, AS_TEXT]);
  });

  it('returns 503 with Retry-After and stores nothing while another process locks the database', async () => {
    const { api, databaseUrl } = await startApp(STRETCHED);
    expectRetry(await whileLocked(databaseUrl, () => api.post('/v1/pets', NEW_PET)), DATABASE_UNAVAILABLE);
    expect(outcome(await api.call.listPets())).toStrictEqual({ status: 200, body: [] });
    const added = await api.call.createPet({ body: NEW_PET });
    expect(outcome(added)).toStrictEqual({ status: 201, body: { id: 1n, ...NEW_PET } });
  });
});
