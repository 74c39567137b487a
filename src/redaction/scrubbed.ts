/** Stands for every text that was scrubbed. */
export const SCRUBBED = '[REDACTED]'
