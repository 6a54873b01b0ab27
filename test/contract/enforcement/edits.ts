/** A change of openapi.yaml alone, and what it makes of a request, or the reason with which the start fails. */
export interface Edit {
  readonly title: string;
  readonly from: string;
  readonly to: string;
  readonly refusal?: string;
  readonly request?: {
    readonly target: string;
    readonly body?: object;
  };
  readonly status?: number;
  readonly message?: string;
}

const NEW_PET = '      required: [name, categoryId]\n';
const NAME = "          type: string\n          description: The animal's name.";
const LIMIT = '          schema:\n            type: integer\n            minimum: 1\n';
const PARAMETERS = '      parameters:\n        - name: limit';
const CREATE = '      operationId: createPet\n';
const CREATE_PARAMETERS = "      parameters:\n        - $ref: '#/components/parameters/IdempotencyKey'\n";
const JSON_BODY =
  "          application/json:\n            schema:\n              $ref: '#/components/schemas/NewPet'\n";
const JSON_PAGE =
  "            application/json:\n              schema:\n                $ref: '#/components/schemas/Pets'\n";
const LOCATION = '            Location:\n';
const PET = { name: 'Rex', categoryId: 7 };
const pets = (body: object) => ({ target: '/pets', body });

function parameter(place: string, members: string): string {
  return `        - name: tenant\n          in: ${place}\n          ${members}\n`;
}

/** Each was neither honoured nor refused while only the DTOs acted. */
export const EDITS: readonly Edit[] = [
  {
    title: 'a bound',
    from: 'maximum: 100\n',
    to: 'maximum: 50\n',
    refusal: '"maximum" of limit is 50 here and 100 in ListPetsQuery; make them equal',
  },
  {
    title: 'a pattern',
    from: String.raw`pattern: '^[^\u0000]*$'`,
    to: "pattern: '^[A-Z]'",
    refusal: String.raw`"pattern" of name is "^[A-Z]" here and "^[^\\u0000]*$" in NewPet; make them equal`,
  },
  { title: 'a length', from: NAME, to: `          maxLength: 2\n${NAME}`, request: pets(PET), status: 400 },
  {
    title: 'a required member',
    from: NEW_PET,
    to: '      required: [name, categoryId, status]\n',
    refusal: '"required" of status is true here and false in NewPet; make them equal',
  },
  {
    title: 'a member that no DTO has',
    from: '      properties:\n        name:\n',
    to: '      properties:\n        age:\n          type: integer\n        name:\n',
    refusal:
      'age is declared here, but NewPet has no rule for it; give the member one there, such as @Allow(), or remove it here',
  },
  {
    title: 'an enum',
    from: 'enum: [available, pending, sold]',
    to: 'enum: [available, sold]',
    refusal:
      '"enum" of status is ["available","sold"] here and ["available","pending","sold"] in ListPetsQuery; make them equal',
  },
  {
    title: 'additionalProperties: false',
    from: NEW_PET,
    to: `${NEW_PET}      additionalProperties: false\n`,
    // A Pet is a NewPet with an id: no response could meet both.
    refusal:
      '"additionalProperties" applies to "id", which stands elsewhere in the "allOf"; declare "id" here too, or remove "additionalProperties"',
  },
  {
    title: 'oneOf',
    from: "        status:\n          $ref: '#/components/schemas/PetStatus'\n",
    to: '        status:\n          oneOf:\n            - type: string\n              enum: [sold]\n',
    request: pets({ ...PET, status: 'pending' }),
    status: 400,
    message: 'status must be one of sold',
  },
  {
    title: 'a type',
    from: NAME,
    to: NAME.replace('string', 'boolean').replace('\n', '\n          x-was: string\n'),
    refusal: '"pattern" has no effect on the type boolean; remove it',
  },
  {
    title: 'a required query parameter',
    from: PARAMETERS,
    to: PARAMETERS.replace(
      'limit',
      'tenant\n          in: query\n          required: true\n          schema: { type: string }\n        - name: limit',
    ),
    refusal:
      'tenant is declared here, but ListPetsQuery has no rule for it; give the member one there, such as @Allow(), or remove it here',
  },
  {
    title: 'an array parameter',
    from: PARAMETERS,
    to: PARAMETERS.replace(
      'limit',
      'ids\n          in: query\n          schema: { type: array, items: { type: integer }, maxItems: 2 }\n        - name: limit',
    ),
    refusal:
      'ids is declared here, but ListPetsQuery has no rule for it; give the member one there, such as @Allow(), or remove it here',
  },
  {
    title: 'a required header',
    from: CREATE_PARAMETERS,
    to: CREATE_PARAMETERS + parameter('header', 'required: true\n          schema: { type: string }'),
    request: pets(PET),
    status: 400,
    message: 'header tenant is required',
  },
  {
    title: 'a required cookie',
    from: CREATE_PARAMETERS,
    to: CREATE_PARAMETERS + parameter('cookie', 'required: true\n          schema: { type: string }'),
    request: pets(PET),
    status: 400,
    message: 'cookie tenant is required',
  },
  {
    title: 'a style of a parameter',
    from: LIMIT,
    to: `          style: deepObject\n${LIMIT}`,
    refusal: 'the style deepObject needs a schema of the type object',
  },
  {
    title: 'a second security scheme',
    from: '  securitySchemes:\n',
    to: '  securitySchemes:\n    jwt:\n      type: http\n      scheme: bearer\n',
    refusal:
      'no guard enforces the security scheme "jwt"; register a SchemeGuard for it as APP_GUARD, or remove the scheme',
  },
  {
    title: 'scopes',
    from: '  - apiKey: []',
    to: '  - apiKey: [admin]',
    refusal: 'scopes are not supported; leave the list empty',
  },
  {
    title: 'a required response header',
    from: LOCATION,
    to: `            X-Total:\n              required: true\n              schema: { type: integer }\n${LOCATION}`,
    request: pets(PET),
    status: 500,
  },
  {
    title: 'the format of a response header',
    from:
      LOCATION +
      '              description: The URL of the animal.\n              required: true\n              schema:\n                type: string\n                format: uri-reference\n',
    to: `${LOCATION}              required: true\n              schema: { type: string, format: uuid }\n`,
    request: pets(PET),
    status: 500,
  },
  {
    title: 'a second media type of a request',
    from: JSON_BODY,
    to: `          text/csv:\n            schema: { type: string }\n${JSON_BODY}`,
    refusal: 'only application/json is supported',
  },
  {
    title: 'a second media type of a response',
    from: JSON_PAGE,
    to: `            text/csv:\n              schema: { type: string }\n${JSON_PAGE}`,
    request: { target: '/pets' },
    status: 500,
  },
  {
    title: 'servers of an operation',
    from: CREATE,
    to: `${CREATE}      servers:\n        - url: /v2\n`,
    refusal: '"servers" is not supported; declare the servers of the whole document',
  },
  {
    title: 'callbacks',
    from: CREATE,
    to: `${CREATE}      callbacks: {}\n`,
    refusal: '"callbacks" is not supported; the service sends no requests; remove them',
  },
  {
    title: 'a pattern of a path parameter',
    from: '            type: integer\n            format: int64\n            minimum: -9223372036854775808\n',
    to: '            type: integer\n            format: int64\n            minimum: 1000\n',
    request: { target: '/pets/7' },
    status: 404,
    message: 'No resource at /v1/pets/7.',
  },
];
