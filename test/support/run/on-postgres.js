// Before each spec of the part of the run that is on PostgreSQL.
process.env.TEST_ENGINE = 'postgres';
