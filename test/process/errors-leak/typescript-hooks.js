import { readFile } from 'node:fs/promises';
import ts from 'typescript';

const { config } = ts.readConfigFile(new URL('../../../tsconfig.json', import.meta.url).pathname, (file) =>
  ts.sys.readFile(file),
);
const compilerOptions = { ...config.compilerOptions, module: 'esnext', moduleResolution: 'bundler', sourceMap: false };

export function resolve(specifier, context, next) {
  const isOurs = specifier.startsWith('.') && context.parentURL?.endsWith('.ts');
  return next(isOurs ? specifier.replace(/\.js$/, '.ts') : specifier, context);
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const text = await readFile(new URL(url), 'utf8');
  const { outputText } = ts.transpileModule(text, { compilerOptions });
  return { format: 'module', source: outputText, shortCircuit: true };
}
