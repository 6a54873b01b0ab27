import { beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig } from '../../../src/config.js';
import { type StartedApp, startApp } from '../../support/start-app.js';

/** A service that trusts these proxies, and answers one request without a key from each address. */
function start(proxies: string): Promise<StartedApp> {
  const { rateLimit, trustedProxies } = readConfig({ RATE_LIMIT: '1/24h', TRUSTED_PROXIES: proxies });
  return startApp({ rateLimit, trustedProxies });
}

/** 401 for the first request of an address, and 429 for further ones. */
async function statusOf({ api }: StartedApp, forwarded: string | string[] | null): Promise<number> {
  return (await api.get('/v1/pets', { key: null, headers: { 'x-forwarded-for': forwarded } })).status;
}

describe('behind trusted proxies', () => {
  let service: StartedApp;

  beforeAll(async () => {
    service = await start('127.0.0.0/8, 10.0.0.0/8, 2001:db8:ffff::/48, 192.0.2.250');
    expect(await statusOf(service, null)).toBe(401);
  });

  /** What a second request has in common with the first one, which is of a new client each time. */
  it.each<[string, string | string[], string | string[], boolean]>([
    ['the address that the proxy has added', '192.0.2.1', '192.0.2.1', true],
    ['nothing: another client', '192.0.2.2', '192.0.2.3', false],
    ['what a client claims is not believed', '203.0.113.1, 192.0.2.4', '203.0.113.2, 192.0.2.4', true],
    ['what a client claims in a header of its own', ['203.0.113.1', '192.0.2.5'], '192.0.2.5', true],
    ['a chain of trusted proxies', '192.0.2.6, 10.0.0.1, 192.0.2.250', '192.0.2.6, 10.9.9.9', true],
    ['a chain with a proxy that is not trusted', '192.0.2.7, 192.0.2.8', '192.0.2.9, 192.0.2.8, 10.0.0.1', true],
    ['a port that the proxy has added', '192.0.2.10:4711', '192.0.2.10:4712', true],
    ['an address of IPv6 in another notation', '2001:DB8:1:0:0:0:0:1', '2001:db8:1::1', true],
    ['a network of 64 bits', '2001:db8:2:3::1', '[2001:db8:2:3:ffff:ffff:ffff:ffff]:443', true],
    ['nothing: another network of 64 bits', '2001:db8:2:4::1', '2001:db8:2:5::1', false],
    ['the end of the network', '2001:db8:0:6::1', '2001:db8::6:0:0:0:2', true],
    ['nothing: an address whose zeros are elsewhere', '2001:db8:0:7::1', '2001:db8:7::1', false],
    ['IPv4 within IPv6', '::ffff:192.0.2.11', '::ffff:c000:20b', true],
    ['IPv4, and the same within IPv6', '192.0.2.12', '::ffff:192.0.2.12', true],
    ['a zone', 'fe80::1%eth0', 'fe80::1', true],
    ['a trusted proxy of IPv6', '192.0.2.13, 2001:db8:ffff::1', '192.0.2.13, 2001:db8:ffff:1::2', true],
    ['only trusted proxies: the first one', '10.1.1.1, 10.0.0.1', '10.1.1.1', true],
    ['text before the proxy that received it', 'unknown, 10.2.2.2', 'secret, 10.2.2.2, 10.0.0.1', true],
    ['an empty item before the proxy that received it', ',10.3.3.3', ' , 10.3.3.3', true],
    ['a malformed address before the proxy that received it', '192.0.2.999, 10.4.4.4', '1::2::3, 10.4.4.4', true],
    ['white space', '\t192.0.2.14  ', '192.0.2.14', true],
  ])('two requests are of one client, or of two: %s', async (_, first, second, isSame) => {
    expect(await statusOf(service, first)).toBe(401);
    expect(await statusOf(service, second)).toBe(isSame ? 429 : 401);
  });

  it.each(['unknown', '', ',', '256.0.0.1', 'a'.repeat(10_000), ','.repeat(10_000)])(
    'the address of the proxy counts when it adds none: %.20j',
    async (forwarded) => {
      expect(await statusOf(service, forwarded)).toBe(429);
    },
  );
});

describe('a client that is no trusted proxy', () => {
  it('is limited by the address of its connection', async () => {
    const service = await start('10.0.0.0/8, 127.0.0.2, ::1');
    expect(await statusOf(service, '192.0.2.1')).toBe(401);
    for (const forwarded of ['192.0.2.2', '10.0.0.1', '127.0.0.2', null])
      expect(await statusOf(service, forwarded)).toBe(429);
  });
});
