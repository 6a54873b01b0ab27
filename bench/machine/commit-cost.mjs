import Database from 'better-sqlite3';

/** Milliseconds of one fully synchronous commit: the limit of a server with one commit per pet. */
export function commitCost(file, commits = 50) {
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.exec('CREATE TABLE commits (n integer)');
  const insert = database.prepare('INSERT INTO commits VALUES (?)');
  const startedAt = performance.now();
  for (let n = 0; n < commits; n++) insert.run(n);
  const cost = (performance.now() - startedAt) / commits;
  database.close();
  return cost;
}
