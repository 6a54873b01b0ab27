// Jest runs this before each test file on PostgreSQL.
process.env.TEST_ENGINE = 'postgres';
