import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { StartError } from '../../src/platform/process/start-error.js';
import { ServedDatabase } from '../../src/platform/database/served/served-database.js';
import { createDatabase, type TestDatabase } from '../support/databases/databases.js';
import { startApp } from '../support/start-app.js';

let database: TestDatabase;

beforeEach(async () => {
  database = await createDatabase();
});

afterEach(() => database.drop());

describe('a start', () => {
  it.each([
    ['ALTER TABLE "pets" RENAME TO "hidden"', 'the table "pets" of PetEntity'],
    ['ALTER TABLE "api_keys" RENAME TO "hidden"', 'the table "api_keys" of ApiKeyEntity'],
    ['ALTER TABLE "pets" RENAME COLUMN "name" TO "title"', 'the column "name" of the table "pets" of PetEntity'],
  ])('is refused after %s, and names the command that fixes it', async (statement, missing) => {
    const service = await startApp({ databaseUrl: database.url });
    await service.app.get(ServedDatabase).dataSource.query(statement);
    await service.close();
    const start = startApp({ databaseUrl: database.url });
    await expect(start).rejects.toBeInstanceOf(StartError);
    await expect(start).rejects.toThrow(
      `lacks ${missing}; name the migration that adds it in src/data-source.ts, then run "npm run migrate".`,
    );
  });
});
