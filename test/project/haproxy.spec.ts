import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { readConfig } from '../../src/config.js';

const read = (file: string): string => readFileSync(new URL(`../../deploy/${file}`, import.meta.url), 'utf8');

/** The directives of each section, without comments. */
const sections = new Map(
  read('haproxy.cfg')
    .replaceAll(/^ *#.*\n/gm, '')
    .split(/\n(?=\S)/)
    .map((section) => section.trim().split(/\n\s*/))
    .map(([title, ...directives]) => [title!, directives]),
);
const backend = sections.get('backend pets')!;
const defaults = sections.get('defaults')!;

/** Milliseconds. */
function timeout(name: string): number {
  const line = defaults.find((directive) => directive.startsWith(`timeout ${name} `))!;
  return Number(/ (\d+)s$/.exec(line)![1]) * 1000;
}

/** The configuration of a replica behind HAProxy: the defaults, and what compose.yaml sets. */
function replica() {
  const { services } = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<string, { environment: Record<string, string> }>;
  };
  const { KEEP_ALIVE_TIMEOUT_MS, REQUEST_TIMEOUT_MS } = services['pets-a']!.environment;
  return readConfig({ KEEP_ALIVE_TIMEOUT_MS, REQUEST_TIMEOUT_MS });
}

describe('deploy/haproxy.cfg', () => {
  it('sends requests only to replicas that are ready, because /live also responds without a database', () => {
    expect(backend.filter((line) => /httpchk|http-check/.test(line))).toEqual([
      'option httpchk GET /ready',
      'http-check expect status 200',
    ]);
    expect(backend).toContainEqual(expect.stringMatching(/^default-server check .*\bfall 1 /));
  });

  it('repeats a request that a replica may have carried out only if it is a GET, so that it creates no pet twice', () => {
    expect(backend.filter((line) => /retry|retries|redispatch/.test(line))).toEqual([
      'retries 2',
      'option redispatch 1',
      'retry-on conn-failure empty-response',
      'http-request disable-l7-retry unless METH_GET',
    ]);
  });

  it('closes idle connections before the service does, so that no request meets a connection that is closing', () => {
    const { keepAliveTimeout } = replica();
    for (const name of ['http-keep-alive', 'client', 'server']) expect(timeout(name)).toBeLessThan(keepAliveTimeout);
  });

  it('does not announce the longer keep-alive time of the service to clients', () => {
    expect(backend).toContain('http-response del-header Keep-Alive');
  });

  it('gives a request as long to arrive as the service does', () => {
    expect(timeout('http-request')).toBe(replica().requestTimeout);
  });
});
