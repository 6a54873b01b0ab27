/** Every peer is told the same in the same words as the service itself. */
export const port = Number(process.env.PORT);
export const host = process.env.HOST;
export const databaseUrl = process.env.DATABASE_URL;
export const apiKey = process.env.API_KEYS;
