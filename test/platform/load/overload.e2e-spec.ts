import { it } from '@jest/globals';
import { listRequest } from '../../support/http/raw/raw-requests.js';
import { expectShedding } from './busy-service.js';

it('an overloaded service refuses with a declared 503 whatever would wait too long, even for an unknown path', async () => {
  await expectShedding((key) => listRequest(key).replace('/v1/pets', '/v1/dogs'), {
    status: 404,
    body: { code: 'NOT_FOUND', message: 'No resource at /v1/dogs.', status: 404 },
  });
});
