/** Bytes that deploy/ allows each process of the service. */
export const MEMORY_LIMIT = 512 * 2 ** 20;

/** Megabytes: the limit of the heap that Node chooses by itself in a container with that much memory. */
export const HEAP_LIMIT = 208;
