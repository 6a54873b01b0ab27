import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** Whether OpenSSL is installed. */
export function canCertify(): boolean {
  return spawnSync('openssl', ['version']).status === 0;
}

/** A certificate authority; its certificate is in `file`. */
export class Authority {
  readonly file: string;
  readonly #key: string;

  constructor(
    private readonly directory: string,
    name: string,
  ) {
    this.file = join(directory, `${name}.pem`);
    this.#key = join(directory, `${name}.key`);
    certify(['-subj', `/CN=${name}`, '-keyout', this.#key, '-out', this.file]);
  }

  /** Creates a certificate and a key for a host. */
  certify(host: string): { certificate: string; key: string } {
    const [certificate, key] = [join(this.directory, `${host}.crt`), join(this.directory, `${host}.key`)];
    const signed = ['-CA', this.file, '-CAkey', this.#key, '-addext', `subjectAltName=DNS:${host}`];
    certify([...signed, '-subj', `/CN=${host}`, '-keyout', key, '-out', certificate]);
    return { certificate, key };
  }
}

function certify(args: readonly string[]): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  execFileSync('openssl', ['req', '-x509', '-days', '1', ...key, ...args], { stdio: 'pipe' });
}
