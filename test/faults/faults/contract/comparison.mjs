const BRANCHES = 'tools/contract-diff/schemas/branches.mjs';
const SCHEMAS = 'tools/contract-diff/schemas/schemas.mjs';
const VERDICTS = 'project/contract-diff/verdicts';

/** What `npm run contract:diff` calls breaking. */
export default [
  {
    mistake: 'the order of servers is no change',
    file: 'tools/contract-diff/operations/servers.mjs',
    text: 'if (was !== is && was in are)',
    replacement: 'if (false)',
    tests: VERDICTS,
    promise: 'servers change their order',
  },
  {
    mistake: 'the order of media types is no change',
    file: 'tools/contract-diff/operations/content.mjs',
    text: 'was !== is && was in after',
    replacement: 'false',
    tests: VERDICTS,
    promise: 'the media type that is sent by default changes',
  },
  {
    mistake: 'a new 406 is one more error',
    file: 'tools/contract-diff/operations/responses.mjs',
    text: `if (status === '406')`,
    replacement: 'if (false)',
    tests: VERDICTS,
    promise: 'unacceptable requests for {application/json: {}, text/csv: {}} are refused',
  },
  {
    mistake: 'the order of paths is no change',
    file: 'tools/contract-diff/operations/routing.mjs',
    text: '!wereFirst.has(other)',
    replacement: '!wereFirst.has(other) && !left.includes(other)',
    tests: VERDICTS,
    promise: 'paths that match the same requests change their order',
  },
  {
    mistake: 'a new path takes requests of another one',
    file: 'tools/contract-diff/operations/routing.mjs',
    text: 'overlap(segment, losing[at]) && (',
    replacement: 'overlap(segment, losing[at]) && PARAMETER.test(segment) && (',
    tests: VERDICTS,
    promise: 'a path without parameters is added beside one with {type: string}',
  },
  {
    mistake: 'the name of a tagged schema means nothing',
    file: SCHEMAS,
    text: 'if (tagsBefore && tagsAfter) compareTagged',
    replacement: 'if (false) compareTagged',
    tests: VERDICTS,
    promise: 'a tagged schema is renamed',
  },
  {
    mistake: 'alternatives may overlap',
    file: BRANCHES,
    text: '!others.every((other) => areApart(other, branch, context.after))',
    replacement: 'false',
    tests: VERDICTS,
    promise: 'a type becomes one of two that overlap',
  },
  {
    mistake: 'an alternative may grow into another',
    file: BRANCHES,
    text: '[...widened.map(([, is]) => is), ...added]',
    replacement: 'added',
    tests: VERDICTS,
    promise: 'a range grows into another',
  },
  {
    mistake: 'undeclared members may disappear from responses',
    file: SCHEMAS,
    text: `if (context.direction === 'response' && were && !are)`,
    replacement: 'if (false)',
    tests: VERDICTS,
    promise: 'undeclared members are no longer returned',
  },
  {
    mistake: 'a keyword that was listed before it was declared was always enforced',
    file: SCHEMAS,
    text: ' && !known.includes(name)',
    replacement: '',
    tests: VERDICTS,
    promise: 'a limit whose name was listed as always enforced before it was declared',
  },
];
