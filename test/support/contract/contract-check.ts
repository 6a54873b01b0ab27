import { readContract } from '../../contract/contract.js';
import { answerChecker } from './check-answer.js';
import { coverageRecorder } from './record-coverage.js';
import type { CheckExchange } from '../http/exchange.js';

export interface ContractCheckOptions {
  /** A contract of a test's own; its answers count for no coverage. */
  readonly contractFile?: string | URL | undefined;
  /** Whether the service answers other origins. */
  readonly cors?: boolean;
}

let recorder: ReturnType<typeof coverageRecorder> | undefined;

/** The check that every answer of the service passes through. */
export function contractCheck({ contractFile, cors = false }: ContractCheckOptions = {}): CheckExchange {
  const contract = readContract(contractFile);
  if (contractFile !== undefined) return answerChecker({ contract, cors });
  recorder ??= coverageRecorder(contract);
  return answerChecker({ contract, cors, passed: recorder });
}
