/** Injects the Contract that the application was started with. */
export const CONTRACT = Symbol('Contract');
