import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The packages that `npm ci --omit=dev` installs, with their licences, by `name@version`. `npm sbom --omit=dev` would leave
 * most of them out: it drops every package that a development package requires as well. What a development package requires
 * and a production package could use (`devOptional`), npm installs.
 *
 * @returns {Map<string, { path: string, licence: string | undefined }>}
 */
export function productionPackages(root) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const found = new Map();
  for (const [path, { name, version, license, dev }] of Object.entries(packages)) {
    if (path === '' || dev) continue;
    const reference = `${name ?? path.split('node_modules/').at(-1)}@${version}`;
    found.set(reference, { path, licence: license ?? legacyLicence(join(root, path)) });
  }
  return found;
}

/** Packages of before 2015 name their licences in `licenses`, which npm does not copy to the lock file. */
function legacyLicence(directory) {
  try {
    const { licenses } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
    return licenses?.map(({ type }) => type).join(' AND ');
  } catch {
    return undefined;
  }
}
