import Database from 'better-sqlite3';
import { databaseUrl } from './environment.mjs';

const database = new Database(databaseUrl.replace(/^sqlite:/, ''));
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');

const COLUMNS = 'id, name, categoryId, status';
// SQLite prepares a statement again whenever a bare `LIMIT ?` is bound, but not for an expression.
const list = database.prepare(`SELECT ${COLUMNS} FROM pets ORDER BY id LIMIT ? + 0`);
const listByStatus = database.prepare(`SELECT ${COLUMNS} FROM pets WHERE status = ? ORDER BY id LIMIT ? + 0`);
const get = database.prepare(`SELECT ${COLUMNS} FROM pets WHERE id = ?`);
const insert = database.prepare(`INSERT INTO pets (name, categoryId, status) VALUES (?, ?, ?) RETURNING ${COLUMNS}`);

/** A missing status is absent from the JSON, not null. */
function toPet(row) {
  if (row?.status === null) row.status = undefined;
  return row;
}

export const listPets = (limit, status) =>
  (status === undefined ? list.all(limit) : listByStatus.all(status, limit)).map(toPet);

export const getPet = (id) => toPet(get.get(id));

/** Outside a transaction this is a durable commit. */
export const createPet = ({ name, categoryId, status }) => toPet(insert.get(name, categoryId, status ?? null));

export const inOneCommit = (work) => database.transaction(work)();
