/** Loaded by Jest itself, which reads no TypeScript in its reporters. */
export default class ContractCoverageReporter {
  constructor(globalConfig: object);
  onRunComplete(): void;
  getLastError(): Error | undefined;
}
