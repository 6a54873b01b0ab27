// The practical limit on PostgreSQL: like bare.mjs, with named statements of `pg` and one statement for all pending creations.
import { Pool, types } from 'pg';
import { respond, respondWithPet, serve } from './bare-server.mjs';
import { databaseUrl } from './environment.mjs';

const POOL_SIZE = 10;

// Loses digits beyond 2^53, like bare.mjs.
types.setTypeParser(types.builtins.INT8, Number);
const pool = new Pool({ connectionString: databaseUrl, max: POOL_SIZE });

const COLUMNS = 'id, name, "categoryId", status';
// Without a literal LIMIT, PostgreSQL plans the statement again for each execution.
const LIST = `SELECT * FROM (SELECT ${COLUMNS} FROM pets ORDER BY id LIMIT 100) AS page ORDER BY id LIMIT $1`;
const LIST_BY_STATUS = `SELECT * FROM (
    SELECT ${COLUMNS} FROM pets WHERE status = $1 ORDER BY id LIMIT 100
  ) AS page ORDER BY id LIMIT $2`;
const GET = `SELECT ${COLUMNS} FROM pets WHERE id = $1`;
const INSERT = `INSERT INTO pets (name, "categoryId", status)
  SELECT name, "categoryId", status FROM unnest($1::text[], $2::bigint[], $3::text[])
    WITH ORDINALITY AS row (name, "categoryId", status, position)
  ORDER BY position RETURNING ${COLUMNS}`;

/** A missing status is absent from the JSON, not null. */
function toPet(row) {
  if (row?.status === null) row.status = undefined;
  return row;
}

async function run(name, text, values) {
  const { rows } = await pool.query({ name, text, values });
  return rows.map(toPet);
}

let waiting = [];
let isCommitting = false;

async function commit() {
  isCommitting = true;
  while (waiting.length > 0) {
    const group = waiting;
    waiting = [];
    const pets = await run('insert', INSERT, [
      group.map(({ newPet }) => newPet.name),
      group.map(({ newPet }) => newPet.categoryId),
      group.map(({ newPet }) => newPet.status ?? null),
    ]);
    group.forEach(({ response }, index) => respond(response, 201, pets[index]));
  }
  isCommitting = false;
}

serve({
  async listPets(response, limit, status) {
    const isFiltered = status !== undefined;
    const pets = isFiltered
      ? await run('list_by_status', LIST_BY_STATUS, [status, limit])
      : await run('list', LIST, [limit]);
    respond(response, 200, pets);
  },
  async getPet(response, id) {
    const [pet] = await run('get', GET, [id]);
    respondWithPet(response, pet);
  },
  createPet(response, newPet) {
    if (waiting.push({ newPet, response }) === 1 && !isCommitting) setImmediate(() => void commit());
  },
});
