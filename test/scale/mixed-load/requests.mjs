const KEY = 'key-of-the-mixed-load';
const JSON_TYPE = { 'Content-Type': 'application/json' };
const AUTHORIZED = { Authorization: `Bearer ${KEY}` };
const PET = JSON.stringify({ name: 'Tom', categoryId: 7, status: 'available' });
/** More than the service accepts. */
const LARGE = JSON.stringify({ name: 'x'.repeat(200_000), categoryId: 7 });

const get = (path, status, headers = AUTHORIZED) => ({ method: 'GET', path, headers, status });
const send = (method, path, body, status, headers = { ...AUTHORIZED, ...JSON_TYPE }) => ({
  method,
  path,
  headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
  body,
  status,
});
const create = send('POST', '/v1/pets', PET, 201);

export { KEY };

/** Requests with the status that each must get; those that succeed are the most frequent. */
export const REQUESTS = [
  get('/v1/pets', 200),
  get('/v1/pets?status=available&limit=100', 200),
  get('/v1/pets/1', 200),
  create,
  get('/v1/pets?status=available', 200),
  // Its second half arrives later.
  { ...create, isSlow: true },
  get('/v1/pets/1', 200),
  get('/v1/pets?limit=0', 400),
  create,
  send('POST', '/v1/pets', '{"name":', 400),
  get('/v1/pets?limit=5', 200),
  get('/v1/pets', 401, {}),
  create,
  { ...send('POST', '/v1/pets', PET, 401, JSON_TYPE), isSlow: true },
  get('/v1/pets', 200),
  get('/v1/dogs', 404),
  create,
  { ...send('POST', '/v1/dogs', PET, 404), isSlow: true },
  get('/ready', 200),
  { ...send('PUT', '/v1/pets', PET, 405), isSlow: true },
  create,
  send('POST', '/v1/pets', LARGE, 413),
  get('/v1/pets?limit=20', 200),
  { ...send('POST', '/v1/pets', LARGE, 413), isSlow: true },
  create,
  { ...send('POST', '/v1/pets', PET, 415, { ...AUTHORIZED, 'Content-Type': 'text/plain' }), isSlow: true },
];
