import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments } from 'yaml';
import { DATABASE_DEFAULTS, readConfig } from '../../src/config.js';
import { HEAP_LIMIT, MEMORY_LIMIT } from '../support/memory-limit.js';
import { closeDatabase } from '../support/outages.js';
import { startApp } from '../support/start-app.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** PostgreSQL's default of 100, without 3 reserved for superusers and 3 for the migration. */
const CONNECTIONS = 94;

const MEBIBYTES = MEMORY_LIMIT / 2 ** 20;

interface Container {
  readonly env?: readonly { readonly name: string }[];
  readonly resources: Record<'requests' | 'limits', Record<'cpu' | 'memory', string>>;
  readonly securityContext: object;
  readonly readinessProbe: Probe;
  readonly livenessProbe: Probe;
}

interface Probe {
  readonly periodSeconds: number;
  readonly timeoutSeconds: number;
  readonly failureThreshold: number;
}

interface PodSpec {
  readonly containers: readonly Container[];
  readonly securityContext: object;
  readonly terminationGracePeriodSeconds: number;
}

interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly selector: { readonly matchLabels?: object };
    readonly template: { readonly metadata: { readonly labels: object }; readonly spec: PodSpec };
    readonly strategy: object;
    readonly minReadySeconds: number;
    readonly maxReplicas: number;
    readonly scaleTargetRef: { readonly kind: string; readonly name: string };
  };
}

interface Kustomization {
  readonly resources: readonly string[];
  readonly images?: readonly object[];
  readonly configMapGenerator?: readonly { readonly name: string; readonly literals: readonly string[] }[];
}

interface Compose {
  readonly services: Record<
    string,
    {
      readonly environment?: Record<string, string>;
      readonly read_only?: boolean;
      readonly stop_grace_period?: string;
      readonly command?: readonly string[];
      readonly restart?: string;
      readonly logging?: { readonly driver: string; readonly options: Record<string, string> };
      readonly deploy?: { readonly resources: { readonly limits: Record<'cpus' | 'memory', string> } };
    }
  >;
}

const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const files = readdirSync(join(ROOT, 'deploy'), { recursive: true, encoding: 'utf8' }).map((file) => `deploy/${file}`);
const yamlFiles = files.filter((file) => /\.ya?ml$/.test(file));
const manifestOf = (file: string) => parse(read(`deploy/kubernetes/${file}`)) as Manifest;

const variables = new Set(
  [...read('src/config.ts').matchAll(/read(?:<.*?>)?\(\s*'([A-Z_]+)'/g)].map(([, name]) => name!),
);
const unknown = (names: readonly string[]) => names.filter((name) => !variables.has(name));

const dockerfile = read('deploy/Dockerfile').replaceAll('\\\n', ' ');
/** The arguments of each occurrence of an instruction. */
const instructions = (name: string) =>
  [...dockerfile.matchAll(new RegExp(`^\\s*${name} (.*)`, 'gm'))].map(([, rest]) => rest!);

describe('deploy/', () => {
  it.each(yamlFiles)('%s is YAML', (file) => {
    const problems = parseAllDocuments(read(file), { merge: true }).flatMap(({ errors, warnings }) => [
      ...errors,
      ...warnings,
    ]);
    expect(problems).toEqual([]);
  });

  it('leaves the limit of the heap to Node, as it is tested with and documented for other places', () => {
    expect(
      files.filter((file) => /\.\w+$|Dockerfile$/.test(file) && read(file).includes('max-old-space-size')),
    ).toEqual([]);
    const page = read('docs/operations.md');
    expect(page).toContain(`below the ${MEBIBYTES} MiB`);
    expect(page).toContain(`start Node with \`--max-old-space-size=${HEAP_LIMIT}\``);
  });

  it('contains YAML files, for variables that src/config.ts reads', () => {
    expect(yamlFiles.length).toBeGreaterThan(8);
    expect(variables).toContain('DATABASE_URL');
  });
});

describe('deploy/Dockerfile', () => {
  const copied = instructions('COPY')
    .filter((rest) => !rest.startsWith('--from'))
    .flatMap((rest) => rest.split(' ').slice(0, -1));

  it('copies only existing files', () => {
    expect(copied).toContain('src');
    expect(copied.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it('has a build context of exactly the files that it copies', () => {
    const admitted = read('.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    expect(read('.dockerignore')).toMatch(/^\*$/m);
    expect(admitted.toSorted()).toEqual([...new Set(copied)].toSorted());
  });

  it('starts like npm run start:prod', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    expect((JSON.parse(instructions('CMD').at(-1)!) as string[]).join(' ')).toBe(
      scripts['start:prod']!.replace(/^exec /, ''),
    );
  });

  it('runs as an unprivileged user, with production packages only', () => {
    expect(instructions('USER')).toEqual(['1000:1000']);
    expect(instructions('RUN')).toContain('npm ci --omit=dev --ignore-scripts && npm rebuild better-sqlite3');
  });

  it('uses a release of Node on which the tests and the benchmark ran', () => {
    const [, image, release] = /^ARG NODE_IMAGE=(node:(\d+)-\S+)$/m.exec(dockerfile)!;
    expect(new Set(dockerfile.match(/\bnode:\d+[\w.-]*/g))).toEqual(new Set([image]));
    const [, measured] = /^## By release of Node$.*?^\|(.*?)\|$/ms.exec(read('docs/performance.md'))!;
    expect(measured!.match(/\b\d+(?=\.\d+\.\d+)/g)).toContain(release);
    const { jobs } = parse(read('.github/workflows/ci.yml')) as {
      jobs: { test: { strategy: { matrix: { node: number[] } } } };
    };
    expect(jobs.test.strategy.matrix.node).toContain(Number(release));
  });

  it('sets only NODE_ENV and variables that the service reads', () => {
    const names = instructions('ENV').flatMap((rest) => [...rest.matchAll(/([A-Z_]+)=/g)].map(([, name]) => name!));
    expect(unknown(names)).toEqual(['NODE_ENV']);
  });

  it('has a health check that fails only when the service does not respond', async () => {
    const service = await startApp();
    const [command, ...args] = JSON.parse(/^\s*HEALTHCHECK .*? CMD (.*)/m.exec(dockerfile)![1]!) as string[];
    const codeFor = async (port: string, host = ''): Promise<unknown> =>
      (await once(spawn(command!, args, { env: { ...process.env, HOST: host, PORT: port } }), 'exit'))[0];
    expect(await codeFor(new URL(service.baseUrl).port)).toBe(0);
    await closeDatabase(service);
    expect(await codeFor(new URL(service.baseUrl).port)).toBe(0);
    expect(await codeFor('1')).toBe(1);
    const codesFor = async (...hosts: string[]) =>
      Promise.all(hosts.map((host) => codeFor(new URL(service.baseUrl).port, host)));
    // Nothing listens on the last one.
    expect(await codesFor('0.0.0.0', '::', '127.0.0.1', '127.0.0.9')).toEqual([0, 0, 0, 1]);
  });
});

describe('deploy/compose.yaml', () => {
  const { services } = parse(read('deploy/compose.yaml'), { merge: true }) as Compose;
  const petServices = Object.entries(services).filter(([name]) => /^(pets|migrate)/.test(name));

  it('has two replicas and a migration', () => {
    expect(petServices.map(([name]) => name)).toEqual(['migrate', 'pets-a', 'pets-b']);
  });

  it.each(petServices)('gives %s only variables that the service reads, and a read-only file system', (_, service) => {
    expect(unknown(Object.keys(service.environment!))).toEqual([]);
    expect(service.read_only).toBe(true);
  });

  it('keeps a limited part of the log of each container', () => {
    const limited = { driver: 'local', options: { 'max-size': '10m', 'max-file': '5' } };
    expect(Object.entries(services).map(([name, { logging }]) => [name, logging])).toEqual(
      ['database', 'migrate', 'pets-a', 'pets-b', 'haproxy'].map((name) => [name, limited]),
    );
  });

  it('restarts replicas always, and the migration only on failure', () => {
    expect(petServices.map(([, { restart }]) => restart)).toEqual(['on-failure', 'unless-stopped', 'unless-stopped']);
  });

  it('allows replicas the memory that the service is tested with', () => {
    const replicas = petServices.filter(([name]) => name !== 'migrate');
    // For Compose, unlike for Kubernetes, M is a mebibyte.
    expect(replicas.map(([, { deploy }]) => deploy?.resources.limits.memory)).toEqual(
      replicas.map(() => `${MEBIBYTES}M`),
    );
  });

  it('gives replicas longer to stop than their shutdown may take', () => {
    const { environment, stop_grace_period } = services['pets-a']!;
    expect(Number.parseInt(stop_grace_period!, 10) * 1000).toBeGreaterThan(
      Number(environment!.SHUTDOWN_GRACE_MS) + Number(environment!.SHUTDOWN_TIMEOUT_MS),
    );
  });

  it('has a grace period in which HAProxy notices a stop', () => {
    const haproxy = read('deploy/haproxy.cfg');
    const interval = Number(/check inter (\d+)ms fall 1 /.exec(haproxy)![1]);
    const longest = Number(/^ *timeout check (\d+)s$/m.exec(haproxy)![1]) * 1000;
    expect(Number(services['pets-a']!.environment!.SHUTDOWN_GRACE_MS)).toBeGreaterThan(interval + longest);
  });

  it('sets exactly the variables that the HAProxy configuration uses', () => {
    const used = [...read('deploy/haproxy.cfg').matchAll(/"\$\{(\w+)\}"/g)].map(([, name]) => name!);
    expect(Object.keys(services.haproxy!.environment!).toSorted()).toEqual([...new Set(used)].toSorted());
  });

  it('runs a migration command that the build produces', () => {
    expect(services.migrate!.command).toEqual(['node', 'dist/commands/migrate.js']);
    expect(existsSync(join(ROOT, 'src/commands/migrate.ts'))).toBe(true);
  });
});

describe('deploy/kubernetes', () => {
  const deployment = manifestOf('base/deployment.yaml');
  const job = manifestOf('migrate/job.yaml');
  const autoscaler = manifestOf('base/autoscaler.yaml');
  const pod = deployment.spec.template.spec;
  const kustomizations = yamlFiles.filter((file) => file.endsWith('kustomization.yaml'));
  const overlay = parse(read('deploy/kubernetes/overlays/production/kustomization.yaml')) as Kustomization;
  const migration = parse(read('deploy/kubernetes/migrate/kustomization.yaml')) as Kustomization;
  const settings = new Map(
    overlay.configMapGenerator![0]!.literals.map((literal) => literal.split('=') as [string, string]),
  );

  it.each(kustomizations)('%s lists existing files', (file) => {
    const { resources } = parse(read(file)) as Kustomization;
    expect(resources.filter((resource) => !existsSync(join(ROOT, dirname(file), resource)))).toEqual([]);
  });

  it.each([
    ['the Deployment', deployment],
    ['the Job', job],
  ] as const)('%s runs as an unprivileged user, within resource limits, on a read-only file system', (_, { spec }) => {
    expect(spec.template.spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
    for (const container of spec.template.spec.containers) {
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      const bounds = { cpu: expect.anything(), memory: expect.anything() };
      expect(container.resources).toEqual({ requests: bounds, limits: bounds });
      // What test/platform/load/memory.long.e2e-spec.ts proves to be enough.
      expect(container.resources.limits.memory).toBe(`${MEBIBYTES}Mi`);
      expect(unknown(container.env!.map(({ name }) => name))).toEqual([]);
    }
  });

  it('probes /live for start-up and liveness, and /ready for readiness', () => {
    const probe = (path: string) => expect.objectContaining({ httpGet: { path, port: 'http' } });
    expect(pod.containers[0]).toMatchObject({
      startupProbe: probe('/live'),
      readinessProbe: probe('/ready'),
      livenessProbe: probe('/live'),
    });
  });

  it('keeps a replica until its replacement is ready, and lets it finish its requests', () => {
    expect(deployment.spec.strategy).toEqual({
      type: 'RollingUpdate',
      rollingUpdate: { maxUnavailable: 0, maxSurge: 1 },
    });
    const grace = Number(settings.get('SHUTDOWN_GRACE_MS'));
    const { periodSeconds, failureThreshold } = pod.containers[0]!.readinessProbe;
    expect(grace / 1000).toBeGreaterThan(periodSeconds * failureThreshold);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(
      (grace + Number(settings.get('SHUTDOWN_TIMEOUT_MS'))) / 1000,
    );
  });

  it('gives a probe longer than a caller waits for a 503, so that a slow database looks like no failure', () => {
    const { databaseConnectTimeout, databaseStatementTimeout } = DATABASE_DEFAULTS;
    const { readinessProbe, livenessProbe } = pod.containers[0]!;
    for (const { timeoutSeconds } of [readinessProbe, livenessProbe]) {
      expect(timeoutSeconds * 1000).toBeGreaterThan(Math.max(databaseConnectTimeout, databaseStatementTimeout));
    }
  });

  it('restarts a replica only when several probes fail for as long as a request may take, which a restart would cut', () => {
    const { periodSeconds, failureThreshold } = pod.containers[0]!.livenessProbe;
    expect(failureThreshold).toBeGreaterThan(2);
    expect(periodSeconds * failureThreshold * 1000).toBeGreaterThanOrEqual(readConfig({}).requestTimeout);
  });

  it('uses consistent labels, references and images', () => {
    const { labels } = deployment.spec.template.metadata;
    expect(deployment.spec.selector.matchLabels).toEqual(labels);
    expect(manifestOf('base/service.yaml').spec.selector).toEqual(labels);
    expect(manifestOf('base/disruption-budget.yaml').spec.selector.matchLabels).toEqual(labels);
    expect(autoscaler.spec.scaleTargetRef).toMatchObject({ kind: 'Deployment', name: deployment.metadata.name });
    expect(job.spec.template.metadata.labels).not.toEqual(labels);
    expect(overlay.images).toEqual(migration.images);
  });

  it('sets only variables that the service reads', () => {
    expect(settings.size).toBeGreaterThan(0);
    expect(unknown([...settings.keys()])).toEqual([]);
  });

  it('opens no more connections than PostgreSQL allows', () => {
    // A roll-out adds one surge replica and, because of minReadySeconds, at most one that is still stopping.
    const pools = autoscaler.spec.maxReplicas + 2;
    const stop = Number(settings.get('SHUTDOWN_GRACE_MS')) + Number(settings.get('SHUTDOWN_TIMEOUT_MS'));
    expect(deployment.spec.minReadySeconds * 1000).toBeGreaterThan(stop);
    expect(pools * Number(settings.get('DATABASE_POOL_SIZE'))).toBeLessThanOrEqual(CONNECTIONS);
  });
});
