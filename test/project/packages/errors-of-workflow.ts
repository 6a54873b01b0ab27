import { buildSync } from 'esbuild';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { temporaryDirectory } from '../../support/built-service.js';

type Parser = typeof import('@actions/workflow-parser');

/** What GitHub's own parser reports about a workflow, with lines. */
export async function errorsOfWorkflow(text: string): Promise<string[]> {
  const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = loadParser();
  const { context, value } = parseWorkflow({ name: 'workflow', content: text }, new NoOperationTraceWriter());
  // It adds further errors to those of the parser, such as a job that needs an unknown one.
  if (value) await convertWorkflowTemplate(context, value);
  return context.errors.getErrors().map(({ message }) => message);
}

/** The package imports JSON in a form that Node refuses, so it is bundled. */
function loadParser(): Parser {
  const file = join(temporaryDirectory(), 'parser.cjs');
  buildSync({
    entryPoints: ['@actions/workflow-parser'],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    outfile: file,
  });
  return createRequire(import.meta.url)(file) as Parser;
}
