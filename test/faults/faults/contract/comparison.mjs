const SCHEMAS = 'tools/contract-diff/schemas/schemas.mjs';
const VERDICTS = 'project/contract-diff/verdicts';

/** What `npm run contract:diff` calls breaking. */
export default [
  {
    mistake: 'a keyword that was listed before it was declared was always enforced',
    file: SCHEMAS,
    text: ' && !known.includes(name)',
    replacement: '',
    tests: VERDICTS,
    promise: 'a limit whose name was listed as always enforced before it was declared',
  },
];
