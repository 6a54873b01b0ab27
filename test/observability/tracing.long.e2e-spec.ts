import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type BuiltService, startService, stopService, temporaryDirectory } from '../support/built-service.js';
import { operationsSection } from '../support/operations-page.js';

/** Milliseconds for a start, and possibly the build, on a busy machine. */
const TIME = 240_000;
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly { traceId: string; parentSpanId?: string; attributes: readonly Attribute[] }[];
    }[];
  }[];
}

/** The file that docs/operations.md tells a team to save. */
function recipe(): string {
  return /```js\n(.*?)```/s.exec(operationsSection('Traces'))![1]!;
}

function valueOf(attributes: readonly Attribute[], key: string): unknown {
  const value = attributes.find((attribute) => attribute.key === key)?.value;
  return value && Object.values(value)[0];
}

describe('a service that is started with the tracing of docs/operations.md', () => {
  const exported: Export[] = [];
  let collector: Server;
  let service: BuiltService;

  beforeAll(async () => {
    collector = createServer((request, response) => {
      void text(request).then((body) => {
        if (request.url === '/v1/traces') exported.push(JSON.parse(body) as Export);
        response.writeHead(200, ['Content-Type', 'application/json']).end('{}');
      });
    }).listen(0, '127.0.0.1');
    await once(collector, 'listening');
    const directory = temporaryDirectory();
    writeFileSync(join(directory, 'tracing.mjs'), recipe());
    symlinkSync(join(process.cwd(), 'node_modules'), join(directory, 'node_modules'), 'junction');
    service = await startService(join(directory, 'pets.sqlite'), {
      NODE_OPTIONS: `--import=${pathToFileURL(join(directory, 'tracing.mjs')).href}`,
      OTEL_SERVICE_NAME: 'pet-store',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
      OTEL_BSP_SCHEDULE_DELAY: '50',
      LOG_LEVEL: 'info',
      LOG_REQUESTS: 'all',
    });
  }, TIME);

  afterAll(async () => {
    await stopService(service);
    collector.close();
  });

  it('exports a span of the trace that the request names, and logs the same trace', async () => {
    const headers = { traceparent: `00-${TRACE}-${PARENT}-01` };
    expect(await service.api.get('/v1/pets', { headers })).toMatchObject({ status: 200, text: '[]' });
    while (exported.length === 0) await delay(20);
    const [{ resource, scopeSpans }] = exported[0]!.resourceSpans as [Export['resourceSpans'][number]];
    expect(valueOf(resource.attributes, 'service.name')).toBe('pet-store');
    const [span] = scopeSpans[0]!.spans;
    expect(span).toMatchObject({ traceId: TRACE, parentSpanId: PARENT });
    expect(valueOf(span!.attributes, 'http.response.status_code')).toBe(200);
    expect(valueOf(span!.attributes, 'url.path')).toBe('/v1/pets');
    while (!service.output.stderr.includes('"Request"')) await delay(20);
    const lines = service.output.stderr.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({ context: 'Request', operationId: 'listPets', traceId: TRACE }),
    );
  });
});
