import { readContract } from '../../contract/contract.js';
import { CONTRACT_FILE } from '../../contract/open-api.js';
import { responseChecker } from './responses/check-response.js';
import { coverageRecorder } from './coverage/record-coverage.js';
import type { CheckExchange } from '../http/exchange.js';
import { oncePerFile } from './once-per-file.js';

export interface ContractCheckOptions {
  /** The contract of a test; its responses do not count for coverage. */
  readonly contractFile?: string | URL | undefined;
  /** Whether the service allows other origins. */
  readonly cors?: boolean;
}

const contractOf = oncePerFile(readContract);
let recorder: ReturnType<typeof coverageRecorder> | undefined;

/** The check for every response of the service. */
export function contractCheck({ contractFile, cors = false }: ContractCheckOptions = {}): CheckExchange {
  const contract = contractOf(contractFile ?? CONTRACT_FILE);
  if (contractFile !== undefined) return responseChecker({ contract, cors });
  recorder ??= coverageRecorder(contract);
  return responseChecker({ contract, cors, passed: recorder });
}
