import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Contract } from '../../../contract/contract.js';
import { contractCells, filledCells } from './contract-cells.js';
import type { Exchange } from '../../http/exchange.js';
import type { Match } from '../match-target.js';

type Record = (exchange: Exchange, match: Match, by: 'operation' | 'protocol') => void;

/** Writes the cells that responses fill to a file for the reporter, which runs in another process. */
export function coverageRecorder(contract: Contract): Record {
  const directory = process.env.TEST_RUN_DIRECTORY && join(process.env.TEST_RUN_DIRECTORY, 'contract-coverage');
  if (!directory) return () => {};
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'cells.json'), JSON.stringify(contractCells(contract)));
  const file = join(directory, `filled-${process.pid}.jsonl`);
  const written = new Set<string>();
  return (exchange, match, by) => {
    for (const { subject, aspect, name } of filledCells(exchange, match, by)) {
      const line = JSON.stringify({ subject, aspect, name, status: exchange.response.status });
      if (written.has(line)) continue;
      written.add(line);
      appendFileSync(file, `${line}\n`);
    }
  };
}
