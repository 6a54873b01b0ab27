import { readFileSync } from 'node:fs';

/** Reads each file once, until its text changes: to parse a contract takes longer than the rest of a start. */
export function oncePerFile<Result>(read: (file: string | URL) => Result): (file: string | URL) => Result {
  const results = new Map<string, Result>();
  return (file) => {
    const key = `${String(file)}\n${readFileSync(file, 'utf8')}`;
    let result = results.get(key);
    if (result === undefined) results.set(key, (result = read(file)));
    return result;
  };
}
