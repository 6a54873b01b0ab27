import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { OWNER, POSTGRES } from '../cluster/debian.mjs';
import { ClusterError } from '../cluster/command.mjs';

const PAGE = new URL('../../../docs/operations.md', import.meta.url);

/** The console sessions below a heading of docs/operations.md, each as a script. */
export function documentedScripts(heading) {
  const [, section] = readFileSync(PAGE, 'utf8').split(`\n### ${heading}\n`);
  if (section === undefined) throw new ClusterError(`docs/operations.md has no section "${heading}".`);
  const [text] = section.split(/^##/m);
  return [...text.matchAll(/```console\n(.*?)```/gs)].map(([, session]) => session.replaceAll(/^\$ /gm, ''));
}

/** Runs a script as the user of PostgreSQL, with PostgreSQL's programs and the given variables. */
export function runScript(script, cwd, variables) {
  const env = { ...variables, PATH: `${POSTGRES}:${process.env.PATH}` };
  execFileSync('sh', ['-euc', script], { ...OWNER, cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
}
