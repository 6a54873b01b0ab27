import { request } from 'node:http';

/** Milliseconds after which nobody waits for an answer any more. */
const HANGS = 10_000;

/** One request, and what became of it: an answer, or the error of its connection. Never rejects. */
export function send({ port, key, agent }, method, path, pet) {
  const body = pet && JSON.stringify(pet);
  const headers = {
    Authorization: `Bearer ${key}`,
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
      response.once('end', () => end(answer(response, text)));
      response.once('error', ({ code }) => end({ status: 0, error: code }));
    });
    call.once('error', ({ code, message }) => end({ status: 0, error: code ?? message }));
    const hanging = setTimeout(() => call.destroy(new Error('no answer')), HANGS);
    call.end(body);
  });
}

function answer({ statusCode: status, headers }, text) {
  return {
    status,
    // Of a 201. As text: ids may have more digits than a number.
    id: /"id":(\d+)/.exec(text)?.[1],
    // Of a 503: whether it is an Error, and says when to come back.
    isPatient: headers['retry-after'] !== undefined && /^\{"code":"SERVICE_UNAVAILABLE","message":".+"/.test(text),
  };
}
