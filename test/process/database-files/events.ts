import { copyFileSync, linkSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';

const LOST = 'deleted, moved or replaced';
export const LINKED = 'linked to a second name';

export const move = (file: string): void => renameSync(file, `${file}.moved`);
export const replace = (file: string): void => {
  copyFileSync(file, `${file}.copy`);
  renameSync(`${file}.copy`, file);
};
export const halve = (file: string): void => truncateSync(file, statSync(file).size / 2);
const link = (file: string): void => linkSync(file, `${file}.linked`);
const empty = (file: string): void => truncateSync(file);

/** What happens, to which file, and how the log names it. */
export const EVENTS: [string, string, (file: string) => void, string][] = [
  ['the database is deleted', '', rmSync, LOST],
  ['the database is moved away', '', move, LOST],
  ['a copy replaces the database', '', replace, LOST],
  ['the database loses its second half', '', halve, 'truncated'],
  ['the database is emptied', '', empty, 'truncated'],
  ['the write-ahead log is deleted', '-wal', rmSync, LOST],
  ['the write-ahead log is moved away', '-wal', move, LOST],
  ['a copy replaces the write-ahead log', '-wal', replace, LOST],
  ['the write-ahead log loses its second half', '-wal', halve, 'truncated'],
  ['the write-ahead log is emptied', '-wal', empty, 'truncated'],
  ['the database gets a second name', '', link, LINKED],
];
