// `npm run sbom`: writes the bill of materials of the production packages as CycloneDX, and prints their licences.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readArguments, refuseArgument } from '../read-arguments.mjs';
import { isAccepted } from './licences.mjs';
import { productionPackages } from './packages.mjs';

const HELP = `Usage: npm run sbom -- [--out FILE]

Writes the bill of materials of the packages that production installs, as CycloneDX JSON, and prints how many of them have
which licence. Reads package-lock.json, and of packages without a licence there, node_modules.

  --out FILE  where to write it; by default dist/sbom.cdx.json
  --help      prints this

Exits with 1 when the licence of a package is unknown, copyleft or otherwise not accepted: tools/sbom/licences.mjs lists the
accepted ones.
`;

/** @type {{ out: string }} */
const { out } = readArguments(HELP, { options: { out: { type: 'string', default: 'dist/sbom.cdx.json' } } }).values;
const packages = lockedPackages();
const bill = billOfMaterials(packages);
write(`${JSON.stringify(bill, undefined, 2)}\n`);
process.stdout.write(`${licenceTable(packages)}\n\nWrote the ${bill.components.length} packages to ${out}.\n`);

const refused = [...packages].filter(([, { licence }]) => !isAccepted(licence));
for (const [name, { licence }] of refused) {
  process.stderr.write(
    `The licence of ${name} is ${licence ?? 'unknown'}: replace the package, or accept the licence in tools/sbom/licences.mjs.\n`,
  );
}
if (refused.length > 0) process.exitCode = 1;

function write(text) {
  try {
    mkdirSync(dirname(out), { recursive: true });
    writeFileSync(out, text);
  } catch {
    refuseArgument(`--out must be a file that can be written, not "${out}".`);
  }
}

function lockedPackages() {
  try {
    return productionPackages('.');
  } catch {
    return fail('package-lock.json cannot be read: run "npm install", which writes it.');
  }
}

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  return process.exit(1);
}

/** npm's own document, reduced to the production packages. */
function billOfMaterials(kept) {
  const all = JSON.parse(documentOfNpm());
  const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const root = all.metadata.component['bom-ref'];
  const isKept = (reference) => reference === root || kept.has(reference);
  const components = all.components.filter((component) => kept.has(component['bom-ref'])).map(withLicence);
  if (components.length !== kept.size) {
    return fail('npm sbom leaves out a package of package-lock.json: run "npm install", which corrects the file.');
  }
  return {
    ...all,
    // npm takes the name from the folder.
    metadata: { ...all.metadata, component: { ...all.metadata.component, name, version } },
    components,
    dependencies: all.dependencies
      .filter(({ ref }) => isKept(ref))
      .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isKept) })),
  };
}

function documentOfNpm() {
  const command = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx', '--sbom-type', 'application'];
  try {
    // `npm run --silent` would also silence the reason of a failure.
    return execFileSync('npm', [...command, '--loglevel=error'], {
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
      stdio: 'pipe',
    });
  } catch ({ stderr, message }) {
    // Among lines with a code, a usage and the name of a log.
    const [, reason = message] = /^npm (?:error|ERR!) (?!code )(\S.*)$/m.exec(stderr ?? '') ?? [];
    return fail(
      `npm sbom failed (${reason}): run "npm install", which corrects package-lock.json, or update npm if it has no command sbom.`,
    );
  }
}

/** npm marks a package as one for development when any copy of it is. */
function withLicence(component) {
  const { licence } = packages.get(component['bom-ref']);
  const properties = component.properties.filter((property) => property.name !== 'cdx:npm:package:development');
  if (component.licenses || licence === undefined) return { ...component, properties };
  return { ...component, properties, licenses: [{ expression: licence }] };
}

function licenceTable(kept) {
  const byLicence = new Map();
  for (const [name, { licence = 'unknown' }] of kept) {
    byLicence.set(licence, [...(byLicence.get(licence) ?? []), name]);
  }
  const rows = [...byLicence].toSorted(([, a], [, b]) => b.length - a.length);
  const width = Math.max(...rows.map(([licence]) => licence.length));
  return rows
    .map(([licence, names]) => {
      const some = names.length > 4 ? `${names.slice(0, 3).join(', ')}, ...` : names.join(', ');
      return `${licence.padEnd(width)}  ${String(names.length).padStart(4)}  ${some}`;
    })
    .join('\n');
}
