/** JavaScript, because Jest does not compile reporters. */
export default class ContractCoverageReporter {
  constructor(globalConfig: object);
  onRunComplete(): void;
  getLastError(): Error | undefined;
}
