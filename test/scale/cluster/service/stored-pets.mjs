import pg from 'pg';

/** The name of every pet, by id. */
export async function storedPets(databaseUrl) {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const { rows } = await client.query('SELECT "id"::text, "name" FROM "pets"');
    return new Map(rows.map(({ id, name }) => [id, name]));
  } finally {
    await client.end();
  }
}
