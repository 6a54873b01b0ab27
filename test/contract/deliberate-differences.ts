import type { Places } from './places.js';

/** Deliberate differences, and the sentence that must report each. */
export const DELIBERATE_DIFFERENCES: readonly (readonly [sentence: string, change: (code: Places) => unknown])[] = [
  ['GET /pets/{petId} (getPet) is only in openapi.yaml', ({ document }) => delete document.paths['/pets/{petId}']],
  ['POST /pets (createPet) is only in openapi.yaml', ({ document }) => delete document.paths['/pets']!.post],
  ['DELETE /pets is only in the code', ({ document }) => (document.paths['/pets']!.delete = { responses: {} })],
  [
    'GET /dogs (listDogs) is only in the code',
    ({ document, list }) => (document.paths['/dogs'] = { get: { ...list, operationId: 'listDogs' } }),
  ],
  [
    'GET /pets (listPets): operationId is listPets in openapi.yaml, findPets in the code',
    ({ list }) => (list.operationId = 'findPets'),
  ],
  ['GET /pets (listPets): tags is pets in openapi.yaml, Pets in the code', ({ list }) => (list.tags = ['Pets'])],
  [
    'GET /pets/{petId} (getPet): deprecated is true in openapi.yaml, false in the code',
    ({ get }) => delete get.deprecated,
  ],
  [
    'GET /pets (listPets): deprecated is false in openapi.yaml, true in the code',
    ({ list }) => (list.deprecated = true),
  ],
  [
    'POST /pets (createPet): security is apiKey in openapi.yaml, none in the code',
    ({ create }) => (create.security = []),
  ],
  [
    'security scheme apiKey: scheme is bearer in openapi.yaml, basic in the code',
    ({ document }) => (document.components!.securitySchemes!.apiKey!.scheme = 'basic'),
  ],
  [
    'security scheme apiKey: bearerFormat is absent in openapi.yaml, JWT in the code',
    ({ document }) => (document.components!.securitySchemes!.apiKey!.bearerFormat = 'JWT'),
  ],
  ['GET /pets (listPets): parameter limit is only in openapi.yaml', ({ list }) => list.parameters!.shift()],
  [
    'GET /pets (listPets): parameter offset is only in the code',
    ({ list }) => list.parameters!.push({ name: 'offset', in: 'query' }),
  ],
  [
    'GET /pets (listPets): parameter limit: in is query in openapi.yaml, header in the code',
    ({ list }) => (list.parameters![0]!.in = 'header'),
  ],
  [
    'GET /pets (listPets): parameter limit: required is false in openapi.yaml, true in the code',
    ({ list }) => (list.parameters![0]!.required = true),
  ],
  [
    'GET /pets (listPets): parameter limit: type is integer in openapi.yaml, number in the code',
    ({ limit }) => (limit.type = 'number'),
  ],
  [
    'GET /pets (listPets): parameter limit: maximum is 100 in openapi.yaml, 99 in the code',
    ({ limit }) => (limit.maximum = 99),
  ],
  [
    'GET /pets (listPets): parameter limit: minimum is 1 in openapi.yaml, absent in the code',
    ({ limit }) => delete limit.minimum,
  ],
  [
    'GET /pets (listPets): parameter limit: default is 20 in openapi.yaml, 10 in the code',
    ({ limit }) => (limit.default = 10),
  ],
  [
    'GET /pets (listPets): parameter status: enum value sold is only in openapi.yaml',
    ({ status }) => status.enum!.pop(),
  ],
  [
    'GET /pets (listPets): parameter status: enum value lost is only in the code',
    ({ status }) => status.enum!.push('lost'),
  ],
  [
    'GET /pets/{petId} (getPet): parameter petId: format is int64 in openapi.yaml, absent in the code',
    ({ get }) => delete get.parameters![0]!.schema!.format,
  ],
  ['POST /pets (createPet): body is only in openapi.yaml', ({ create }) => delete create.requestBody],
  [
    'POST /pets (createPet): body: required is true in openapi.yaml, false in the code',
    ({ create }) => (create.requestBody!.required = false),
  ],
  [
    'POST /pets (createPet): body: text/json is only in the code',
    ({ create }) => (create.requestBody!.content!['text/json'] = {}),
  ],
  [
    'POST /pets (createPet): body: application/json: property age is only in the code',
    ({ newPet }) => (newPet.properties!.age = { type: 'integer' }),
  ],
  [
    'POST /pets (createPet): body: application/json: property status is only in openapi.yaml',
    ({ newPet }) => delete newPet.properties!.status,
  ],
  [
    'POST /pets (createPet): body: application/json: property name: required is true in openapi.yaml, false in the code',
    ({ newPet }) => newPet.required!.shift(),
  ],
  [
    'POST /pets (createPet): body: application/json: property status: required is false in openapi.yaml, true in the code',
    ({ newPet }) => newPet.required!.push('status'),
  ],
  [
    'POST /pets (createPet): body: application/json: property name: minLength is absent in openapi.yaml, 1 in the code',
    ({ newPet }) => (newPet.properties!.name!.minLength = 1),
  ],
  [
    'POST /pets (createPet): body: application/json: property status: nullable is absent in openapi.yaml, true in the code',
    ({ newPet }) => (newPet.properties!.status!.nullable = true),
  ],
  [
    'POST /pets (createPet): body: application/json: property name: oneOf 1 is only in the code',
    ({ newPet }) => (newPet.properties!.name!.oneOf = [{}]),
  ],
  [
    'POST /pets (createPet): body: application/json: discriminator is absent in openapi.yaml, kind in the code',
    ({ newPet }) => (newPet.discriminator = { propertyName: 'kind' }),
  ],
  [
    'POST /pets (createPet): body: application/json: property name: default is absent in openapi.yaml, ["a"] in the code',
    ({ newPet }) => (newPet.properties!.name!.default = ['a']),
  ],
  [
    'POST /pets (createPet): body: application/json: property name: default is absent in openapi.yaml, null in the code',
    ({ newPet }) => (newPet.properties!.name!.default = null),
  ],
  [
    'POST /pets (createPet): body: application/json: other properties is only in the code',
    ({ newPet }) => (newPet.additionalProperties = { type: 'string' }),
  ],
  [
    'POST /pets (createPet): body: application/json: property name: minProperties is absent in openapi.yaml, 1 in the code',
    ({ newPet }) => (newPet.properties!.name!.minProperties = 1),
  ],
  ['GET /pets (listPets): response 400 is only in openapi.yaml', ({ list }) => delete list.responses[400]],
  [
    'GET /pets/{petId} (getPet): response 400 is only in the code',
    ({ get, list }) => (get.responses[400] = list.responses[400]!),
  ],
  [
    'GET /pets (listPets): response 401: header www-authenticate is only in openapi.yaml',
    ({ list }) => delete list.responses[401]!.headers!['WWW-Authenticate'],
  ],
  [
    'GET /pets (listPets): response 200: header x-total is only in the code',
    ({ list }) => (list.responses[200]!.headers!['X-Total'] = {}),
  ],
  [
    'POST /pets (createPet): response 201: header location: required is true in openapi.yaml, false in the code',
    ({ create }) => delete create.responses[201]!.headers!.Location!.required,
  ],
  [
    'POST /pets (createPet): response 503: header retry-after: type is integer in openapi.yaml, string in the code',
    ({ create }) => (create.responses[503]!.headers!['Retry-After']!.schema!.type = 'string'),
  ],
  [
    'GET /pets (listPets): response 200: application/json: items: property id: format is int64 in openapi.yaml, int32 in the code',
    ({ list }) => (list.responses[200]!.content!['application/json']!.schema!.items!.properties!.id!.format = 'int32'),
  ],
  [
    'GET /pets (listPets): response 401: application/json is only in openapi.yaml',
    ({ list }) => delete list.responses[401]!.content,
  ],
];
