import { fileURLToPath } from 'node:url';

export const TOYS_CONTRACT = fileURLToPath(new URL('toys.openapi.yaml', import.meta.url));
