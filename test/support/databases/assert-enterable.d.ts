export function assertEnterable(folder: string): void;
