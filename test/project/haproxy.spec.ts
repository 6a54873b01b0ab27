import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
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

/** The status of a line `errorfile`, and the response in its file. */
function readErrorFile(line: string) {
  const [, status, file] = /^errorfile (\d+) haproxy-errors\/(.+)$/.exec(line)!;
  const [head, body] = read(`haproxy-errors/${file}`).split('\n\n') as [string, string];
  const [statusLine, ...headers] = head.split('\n');
  return [status!, { file, status: Number(/^HTTP\/1\.1 (\d+) /.exec(statusLine!)![1]), headers, body }] as const;
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

  it('has an Error body for each status that HAProxy produces by itself, and Retry-After with 503', () => {
    const files = new Map(defaults.filter((line) => line.startsWith('errorfile ')).map(readErrorFile));
    const statuses = ['400', '405', '408', '413', '414', '422', '431', '500', '501', '502', '503', '504'];
    expect([...files.keys()].toSorted()).toEqual(statuses);
    for (const { status, headers, body } of files.values()) {
      expect(headers).toEqual(
        expect.arrayContaining(['Content-Type: application/json', `Content-Length: ${body.length}`]),
      );
      expect(JSON.parse(body)).toEqual({ code: expect.any(String), message: expect.any(String), status });
    }
    expect(files.get('503')!.headers).toContain('Retry-After: 1');
    const unused = readdirSync(new URL('../../deploy/haproxy-errors', import.meta.url)).filter(
      (name) => ![...files.values()].some(({ file }) => file === name),
    );
    expect(unused).toEqual([]);
  });

  it('runs in a release that uses these files for requests that it cannot read', () => {
    const [, release] = /image: haproxy:(\d+\.\d+)$/m.exec(read('compose.yaml'))!;
    expect(Number(release)).toBeGreaterThanOrEqual(3.3);
    expect(read('compose.yaml')).toContain('./haproxy-errors:/usr/local/etc/haproxy/haproxy-errors:ro');
    expect(sections.get('global')).toContain('default-path config');
  });
});
