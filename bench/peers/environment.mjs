/** Peers read the same environment variables as the service. */
export const port = Number(process.env.PORT);
export const host = process.env.HOST;
export const databaseUrl = process.env.DATABASE_URL;
export const apiKey = process.env.API_KEYS;
