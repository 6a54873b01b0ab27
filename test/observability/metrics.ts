import type { INestApplication } from '@nestjs/common';
import { AdminServer } from '../../src/health/admin-server.js';

/** The values of all series: `name{label="value"}`. */
export type Series = ReadonlyMap<string, number>;

export function adminUrl(app: INestApplication): string {
  return `http://127.0.0.1:${app.get(AdminServer).port}`;
}

/** The names of the series of the service; those of Node have one for each kind of open handle. */
export async function seriesOf(app: INestApplication): Promise<string[]> {
  return [...(await metricsOf(app)).keys()].filter((name) => !/^(nodejs|process)_/.test(name));
}

export function metricsOf(app: INestApplication): Promise<Series> {
  return scrape(`${adminUrl(app)}/metrics`);
}

export async function scrape(url: string): Promise<Series> {
  const response = await fetch(url);
  const lines = (await response.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(0, end), Number(line.slice(end + 1))];
    }),
  );
}
