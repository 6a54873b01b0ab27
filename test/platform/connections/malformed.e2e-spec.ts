import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { badRequest, outcome } from '../../properties/outcome.js';
import { MALFORMED, goodCreation, listRequest, message } from '../../support/http/raw/raw-requests.js';
import { startApp, type StartedApp } from '../../support/start-app.js';

let service: StartedApp;

beforeAll(async () => {
  service = await startApp();
});

afterEach(async () => {
  expect(outcome(await service.api.get('/v1/pets'))).toEqual({ status: 200, body: [] });
});

async function expectMalformed(bytes: string): Promise<void> {
  const { responses, closed } = await service.sendRaw(bytes);
  expect({ ...outcome(responses[0]!), closed }).toEqual({ ...MALFORMED, closed: true });
}

describe('a request line', () => {
  it.each([
    ['is missing', '\r\n\r\n\r\nHost: localhost\r\n\r\n'],
    ['is nonsense', message(['nonsense', 'Host: localhost'])],
    ['is binary', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
    ['has the form of HTTP/0.9', 'GET /v1/pets\r\n\r\n'],
    ['names HTTP/0.9', message(['GET /v1/pets HTTP/0.9', 'Host: localhost'])],
    ['names HTTP/1.2', message(['GET /v1/pets HTTP/1.2', 'Host: localhost'])],
    ['names HTTP/2.0', message(['GET /v1/pets HTTP/2.0', 'Host: localhost'])],
    ['names HTTP/3.0', message(['GET /v1/pets HTTP/3.0', 'Host: localhost'])],
    ['names HTTP/11', message(['GET /v1/pets HTTP/11', 'Host: localhost'])],
    ['names HTTP/1.10', message(['GET /v1/pets HTTP/1.10', 'Host: localhost'])],
    ['names HTTP in lower case', message(['GET /v1/pets http/1.1', 'Host: localhost'])],
    ['names another protocol', message(['GET /v1/pets HTPP/1.1', 'Host: localhost'])],
    ['has no version', message(['GET /v1/pets', 'Host: localhost'])],
    ['has no target', message(['GET HTTP/1.1', 'Host: localhost'])],
    ['has an empty target', message(['GET  HTTP/1.1', 'Host: localhost'])],
    ['has a relative target', message(['GET v1/pets HTTP/1.1', 'Host: localhost'])],
    ['has only a query as its target', message(['GET ?limit=1 HTTP/1.1', 'Host: localhost'])],
    ['has a space in its target', message(['GET /v1/pets x HTTP/1.1', 'Host: localhost'])],
    ['has a tab in its target', message(['GET /v1/pets\tx HTTP/1.1', 'Host: localhost'])],
    ['has a NUL in its target', message(['GET /v1/pets\0 HTTP/1.1', 'Host: localhost'])],
    ['begins with a space', message([' GET /v1/pets HTTP/1.1', 'Host: localhost'])],
    ['has no method', message(['/v1/pets HTTP/1.1', 'Host: localhost'])],
    ['has an unknown method', message(['FETCH /v1/pets HTTP/1.1', 'Host: localhost'])],
    ['has a method in lower case', message(['get /v1/pets HTTP/1.1', 'Host: localhost'])],
    ['has a method with a NUL', message(['GE\0T /v1/pets HTTP/1.1', 'Host: localhost'])],
    ['is the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ])('gets 400 when it %s', async (_, bytes) => {
    await expectMalformed(bytes);
  });

  it.each(['GET', 'HEAD', 'OPTIONS', 'DELETE', 'TRACE', 'M-SEARCH'])(
    'accepts a target in absolute form with %s',
    async (method) => {
      const head = (target: string): string =>
        message([
          `${method} ${target} HTTP/1.1`,
          'Host: localhost',
          'Connection: close',
          `Authorization: Bearer ${service.key}`,
        ]);
      const absolute = await service.sendRaw(head('http://elsewhere.example:8080/v1/pets?limit=1'));
      const usual = await service.sendRaw(head('/v1/pets?limit=1'));
      expect([absolute.responses[0]?.status, absolute.responses[0]?.text]).toEqual([
        usual.responses[0]?.status,
        usual.responses[0]?.text,
      ]);
    },
  );

  // RFC 9110, section 4.2.3: an empty path is the same as "/".
  it.each([
    ['http://localhost', '/'],
    ['http://localhost/', '/'],
    ['http://localhost?/v1/pets', '/'],
    ['//v1/pets', '//v1/pets'],
  ])('gets 404 for the target %s, as there is no resource at %s', async (target, path) => {
    const bytes = message([
      `GET ${target} HTTP/1.1`,
      'Host: localhost',
      'Connection: close',
      `Authorization: Bearer ${service.key}`,
    ]);
    const { responses } = await service.sendRaw(bytes);
    expect(responses[0]?.json).toEqual({ code: 'NOT_FOUND', message: `No resource at ${path}.`, status: 404 });
  });

  it.each([
    'http:///v1/pets',
    'http://:80/v1/pets',
    'http://@/v1/pets',
    'http://user:secret@localhost/v1/pets',
    'http://localhost:port/v1/pets',
    'http://[zz]/v1/pets',
    'http://?/v1/pets',
  ])('gets 400 for a target whose host is missing or wrong: %s', async (target) => {
    const { responses } = await service.sendRaw(
      message([
        `GET ${target} HTTP/1.1`,
        'Host: localhost',
        'Connection: close',
        `Authorization: Bearer ${service.key}`,
      ]),
    );
    expect(outcome(responses[0]!)).toEqual(badRequest('The request target must have a host and an optional port.'));
  });

  it('gets 400 for CONNECT', async () => {
    const { responses, closed } = await service.sendRaw(
      message(['CONNECT localhost:80 HTTP/1.1', 'Host: localhost:80']),
    );
    expect({ ...outcome(responses[0]!), closed }).toEqual({
      ...badRequest('CONNECT is not supported.'),
      closed: true,
    });
  });

  it('gets 404 for the target *', async () => {
    const { responses } = await service.sendRaw(
      message(['OPTIONS * HTTP/1.1', 'Host: localhost', 'Connection: close']),
    );
    expect(outcome(responses[0]!)).toEqual({
      status: 404,
      body: { code: 'NOT_FOUND', message: 'No resource at *.', status: 404 },
    });
  });

  it('may follow an empty line', async () => {
    const { responses } = await service.sendRaw(`\r\n${listRequest(service.key, 'Connection: close')}`);
    expect(outcome(responses[0]!)).toEqual({ status: 200, body: [] });
  });
});

describe('the Host header field', () => {
  const oneHost = badRequest('The request must have exactly one Host header field.');
  const authorised = (...headers: string[]): string =>
    message(['GET /v1/pets HTTP/1.1', 'Connection: close', `Authorization: Bearer ${service.key}`, ...headers]);

  it.each([
    ['missing', []],
    ['sent twice', ['Host: localhost', 'Host: localhost']],
    ['sent with two values', ['Host: localhost', 'Host: elsewhere']],
    ['sent in two spellings', ['host: localhost', 'HOST: elsewhere']],
  ])('gets 400 when it is %s', async (_, headers) => {
    const { responses } = await service.sendRaw(authorised(...headers));
    expect(outcome(responses[0]!)).toEqual(oneHost);
  });

  it.each(['Host: a b', 'Host: a/b', 'Host: user@localhost', 'Host: localhost:port', 'Host: localhost, elsewhere'])(
    'gets 400 when it is not a host: %j',
    async (header) => {
      const { responses } = await service.sendRaw(authorised(header));
      expect(responses[0]?.status).toBe(400);
    },
  );

  it('gets 400 when it is missing, even with an absolute target', async () => {
    const bytes = message([
      'GET http://localhost/v1/pets HTTP/1.1',
      'Connection: close',
      `Authorization: Bearer ${service.key}`,
    ]);
    const { responses } = await service.sendRaw(bytes);
    expect(outcome(responses[0]!)).toEqual(oneHost);
  });

  it.each(['Host:', 'Host: ', 'Host: [::1]:3000', 'Host: LOCALHOST', 'hOST:localhost:1'])(
    'is accepted as %j',
    async (header) => {
      const { responses } = await service.sendRaw(authorised(header));
      expect(outcome(responses[0]!)).toEqual({ status: 200, body: [] });
    },
  );

  it('is optional in HTTP/1.0, which closes the connection after the response', async () => {
    const { responses, closed } = await service.sendRaw(
      message(['GET /v1/pets HTTP/1.0', `Authorization: Bearer ${service.key}`]),
    );
    expect({ ...outcome(responses[0]!), closed }).toEqual({ status: 200, body: [], closed: true });
  });
});

describe('a header field', () => {
  it.each([
    ['has no colon', 'X-Field value'],
    ['has no name', ': value'],
    ['has a space before its colon', 'X-Field : value'],
    ['has a tab before its colon', 'X-Field\t: value'],
    ['has a space in its name', 'X Field: value'],
    ['begins with a space', ' X-Field: value'],
    ['has a NUL in its name', 'X-Fi\0eld: value'],
    ['has a NUL in its value', 'X-Field: va\0lue'],
    ['has a control character in its value', 'X-Field: va\x01lue'],
    ['has a DEL in its value', 'X-Field: va\x7flue'],
    ['has a bare carriage return in its value', 'X-Field: va\rlue'],
    ['has a bare carriage return at its end', 'X-Field: value\r'],
    ['has letters beyond ASCII in its name', 'X-Fi\xe9ld: value'],
    ['has a bracket in its name', 'X[Field]: value'],
    ['continues in the next line', 'X-Field: one\r\n two'],
    ['continues in the next line after a tab', 'X-Field: one\r\n\ttwo'],
    ['is empty and continues in the next line', 'X-Field:\r\n value'],
    ['ends with a bare line feed and hides another', 'X-Field: value\nAuthorization: Bearer x'],
  ])('gets 400 when it %s', async (_, line) => {
    await expectMalformed(listRequest(service.key, line));
  });

  it.each([
    ['an empty value', 'X-Field:'],
    ['spaces around its value', 'X-Field: \t value \t '],
    ['bytes beyond ASCII', 'X-Field: \x80\xff'],
    ['colons', 'X-Field::::'],
    ['any character of a token in its name', "!#$%&'*+-.^_`|~0aZ: value"],
    ['__proto__ as its name', '__proto__: value'],
  ])('is accepted with %s', async (_, line) => {
    const { responses } = await service.sendRaw(listRequest(service.key, line, 'Connection: close'));
    expect(outcome(responses[0]!)).toEqual({ status: 200, body: [] });
  });

  it.each([
    ['lines end with bare line feeds', (text: string) => text.replaceAll('\r\n', '\n')],
    ['lines end with bare carriage returns', (text: string) => text.replaceAll('\r\n', '\r')],
    ['lines end with line feed and carriage return', (text: string) => text.replaceAll('\r\n', '\n\r')],
    ['the last line ends with a bare line feed', (text: string) => text.replace('\r\n\r\n', '\r\n\n')],
  ])('gets 400 when %s', async (_, change) => {
    await expectMalformed(change(listRequest(service.key)));
  });

  it.each([
    ['the first byte', 1],
    ['the method', 5],
    ['the request line', 40],
    ['half a header field', 60],
  ])('gets 400 when the client ends after %s', async (_, length) => {
    const connection = await service.connect();
    const response = await connection.send(goodCreation(service.key).slice(0, length)).finish().response();
    expect(outcome(response)).toEqual(MALFORMED);
    expect(await connection.isClosed()).toBe(true);
  });
});

describe('a request for an upgrade', () => {
  it.each(['websocket', 'h2c'])(
    'is served without the upgrade, on a connection that then closes: %s',
    async (protocol) => {
      const request = listRequest(service.key, 'Connection: Upgrade', `Upgrade: ${protocol}`);
      const { responses, closed } = await service.sendRaw(`${request}nonsense\r\n\r\n`);
      expect({ ...outcome(responses[0]!), connection: responses[0]!.header('connection'), closed }).toEqual({
        status: 200,
        body: [],
        connection: 'close',
        closed: true,
      });
    },
  );
});
