const GUARD = 'src/auth/bearer.guard.ts';
const API_KEYS = 'src/auth/api-keys.ts';
const KEYS = 'api/authentication-keys';

/** API keys: how requests are checked, and how keys change. */
export default [
  {
    mistake: 'the scheme is compared with its case',
    file: GUARD,
    text: '+=*)$/i',
    replacement: '+=*)$/',
    tests: 'api/authentication.e2e',
    promise: 'is accepted with the scheme BEARER',
  },
  {
    mistake: 'a second Authorization field is ignored',
    file: GUARD,
    text: ` && countOf(request, 'authorization') === 1`,
    replacement: '',
    tests: 'api/authentication.e2e',
    promise: 'is rejected when two Authorization headers are sent',
  },
  {
    mistake: 'a missing key is reported as an invalid one',
    file: GUARD,
    text: String.raw`authorization !== undefined && /^bearer +\S/i.test(authorization)`,
    replacement: 'authorization !== undefined',
    tests: 'api/authentication.e2e',
    promise: 'is reported as missing when there is only',
  },
  {
    mistake: 'keys that were used stay accepted',
    file: 'src/auth/accepted-keys.ts',
    text: 'this.#seen.clear();',
    replacement: '',
    tests: KEYS,
    promise: 'are accepted within a second of creation and rejected within a second of revocation',
  },
  {
    mistake: 'the keys of API_KEYS are lost at the first refresh',
    file: 'src/auth/accepted-keys.ts',
    text: '[...this.#configured, ...(await this.keys.validHashes())]',
    replacement: 'await this.keys.validHashes()',
    tests: KEYS,
    promise: 'accepts every configured key',
  },
  {
    mistake: 'a rotation ignores its grace period',
    file: API_KEYS,
    text: 'Date.now() + grace',
    replacement: 'Date.now()',
    tests: 'process/keys',
    promise: 'rotates a key, and lists how long the previous one stays valid',
  },
  {
    mistake: 'a later rotation extends the grace period of an earlier one',
    file: API_KEYS,
    text: 'keys.filter(isValidAt(time)).map(({ hash }) => hash);\n    await',
    replacement: 'keys.map(({ hash }) => hash);\n    await',
    tests: KEYS,
    promise: 'expire after the grace period of their first rotation, regardless of later rotations',
  },
  {
    mistake: 'a rotation revokes before it adds',
    file: API_KEYS,
    text: `    const key = await this.#add(name);
    await this.#revokeAt(before, Date.now() + grace);`,
    replacement: `    await this.#revokeAt(before, Date.now() + grace);
    const key = await this.#add(name);`,
    tests: KEYS,
    promise: 'stay valid when a rotation fails at its INSERT',
  },
  {
    mistake: 'two valid keys may have one name',
    file: API_KEYS,
    text: '(await this.#validKeys(name)).length > 0 ? undefined : ',
    replacement: '',
    tests: KEYS,
    promise: 'have a name that is unique among valid keys',
  },
  {
    mistake: 'the checksum leaves out the prefix',
    file: 'src/auth/api-key.ts',
    text: 'checksum(PREFIX + random)',
    replacement: 'checksum(random)',
    tests: KEYS,
    promise: 'have a prefix, 32 random characters and a checksum of 6',
  },
  {
    mistake: 'an unavailable database is reported as a failure of the service',
    file: API_KEYS,
    text: 'throw databaseFault(error, this.dataSource);',
    replacement: 'throw error;',
    tests: KEYS,
    promise: 'while another process writes to the database',
  },
];
