const SERVICE = 'src/pets/pets.service.ts';

/** The resource itself. */
export default [
  {
    mistake: 'a full page has no next one',
    file: SERVICE,
    text: 'limit: limit + 1',
    replacement: 'limit',
    tests: 'api/list-pets/list-pets-pages',
    promise: 'points to the next page with the parameters of this one',
  },
  {
    mistake: 'a page has one pet more than the limit',
    file: SERVICE,
    text: 'pets.pop()?.id',
    replacement: 'pets.at(-1)?.id',
    tests: 'api/list-pets/list-pets.e2e',
    promise: 'limit with the query',
  },
  {
    mistake: 'a page of exactly the limit has a next one',
    file: SERVICE,
    text: 'pets.length > limit ?',
    replacement: 'pets.length >= limit ?',
    tests: 'api/list-pets/list-pets-pages',
    promise: 'has exactly as many pets as requested',
  },
  {
    mistake: 'the status is not stored',
    file: SERVICE,
    text: 'insert({ name, categoryId, status })',
    replacement: 'insert({ name, categoryId })',
    tests: 'api/create-pet/create-pet.e2e',
    promise: 'stores the status sold',
  },
  {
    mistake: 'the next page has two cursors',
    file: 'src/platform/paging/next-page-link.ts',
    text: ` || name === 'cursor'`,
    replacement: '',
    tests: 'api/list-pets/list-pets-pages',
    promise: 'replaces the cursor of this page',
  },
  {
    mistake: 'Location lacks the version',
    file: 'src/pets/pets.controller.ts',
    text: '`${request.path}/${pet.id}`',
    replacement: '`/pets/${pet.id}`',
    tests: 'api/create-pet/create-pet.e2e',
    promise: 'adds a pet and assigns its id',
  },
  {
    mistake: 'the default page has ten pets',
    file: 'src/pets/pets.dto.ts',
    text: 'limit = 20;',
    replacement: 'limit = 10;',
    tests: 'api/list-pets/list-pets.e2e',
    promise: 'limit with the query',
  },
];
