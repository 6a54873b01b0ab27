import { request } from 'node:http';

/** Milliseconds after which a missing response counts as a failure. */
const TIMEOUT = 10_000;
/** Milliseconds before the second half of a slow body. */
const PAUSE = 5;

/** Sends a request. Resolves with the status of the response or the error of the connection; never rejects. */
export function send({ port, agent }, { method, path, headers, body, isSlow = false }) {
  return new Promise((resolve) => {
    const end = (result) => {
      clearTimeout(hanging);
      resolve(result);
    };
    const fail = ({ code, message }) => end(code ?? message);
    const call = request({ host: '127.0.0.1', port, path, method, headers, agent }, (response) => {
      response
        .resume()
        .on('error', fail)
        .once('end', () => end(response.statusCode));
    }).on('error', fail);
    const hanging = setTimeout(() => call.destroy(new Error('no response')), TIMEOUT);
    if (!isSlow) {
      call.end(body);
      return;
    }
    const half = body.length / 2;
    call.write(body.slice(0, half));
    setTimeout(() => call.end(body.slice(half)), PAUSE);
  });
}
