/** Injects the Contract that the application started with. */
export const CONTRACT = Symbol('Contract');
