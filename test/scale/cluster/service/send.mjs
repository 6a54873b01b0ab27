import { request } from 'node:http';

/** Milliseconds after which a missing response counts as a failure. */
const TIMEOUT = 10_000;

/**
 * Sends a request, optionally with an Idempotency-Key. Resolves with its response or the error of its connection; never
 * rejects.
 */
export function send({ port, key, agent }, method, path, pet, idempotencyKey) {
  const body = pet && JSON.stringify(pet);
  const headers = {
    Authorization: `Bearer ${key}`,
    ...(idempotencyKey && { 'Idempotency-Key': `"${idempotencyKey}"` }),
    ...(body && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) }),
  };
  const start = performance.now();
  return new Promise((resolve) => {
    const end = (outcome) => {
      clearTimeout(hanging);
      const at = performance.now();
      resolve({ method, name: pet?.name, at, took: at - start, ...outcome });
    };
    const call = request({ port, host: '127.0.0.1', path, method, headers, agent }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => (text += chunk));
      response.once('end', () => end(outcomeOf(response, text)));
      response.once('error', ({ code }) => end({ status: 0, error: code }));
    });
    call.once('error', ({ code, message }) => end({ status: 0, error: code ?? message }));
    const hanging = setTimeout(() => call.destroy(new Error('no response')), TIMEOUT);
    call.end(body);
  });
}

function outcomeOf({ statusCode: status, headers }, text) {
  return {
    status,
    // For a 201; as text, because a number cannot represent every int64.
    id: /"id":(\d+)/.exec(text)?.[1],
    // For a 503: whether it has an Error body and Retry-After.
    isRetryable: headers['retry-after'] !== undefined && /^\{"code":"SERVICE_UNAVAILABLE","message":".+"/.test(text),
  };
}
