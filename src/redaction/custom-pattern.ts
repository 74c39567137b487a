export function checkCustomPattern(_p: unknown): void {}
