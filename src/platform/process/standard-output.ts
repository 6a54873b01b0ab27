import { fstatSync, writeFileSync } from 'node:fs';
import { StartError } from './start-error.js';

const STANDARD_OUTPUT = 1;

/** Writes to standard output. False when that is impossible: the disk is full, or the reader is gone. Ends no process. */
export function print(text: string): Promise<boolean> {
  return new Promise((resolve) => {
    // Without a listener, the error would end the process.
    process.stdout.on('error', () => resolve(false));
    // A file takes only a part of it when the disk becomes full, which Node's stream does not report.
    if (fstatSync(STANDARD_OUTPUT).isFile()) resolve(writeFile(text));
    else process.stdout.write(text, (error) => resolve(!error));
  });
}

/** Prints what a command has done. The error says not to repeat the command, which would repeat its work. */
export async function printReport(text: string): Promise<void> {
  if (await print(text)) return;
  throw new StartError('The command has done its work, but standard output cannot be written; do not run it again.');
}

/** Prints the answer to a command that has changed nothing, so that it may be repeated. */
export async function printAnswer(text: string): Promise<void> {
  if (await print(text)) return;
  throw new StartError('Standard output cannot be written; use another one.');
}

function writeFile(text: string): boolean {
  try {
    writeFileSync(STANDARD_OUTPUT, text);
    return true;
  } catch {
    return false;
  }
}
