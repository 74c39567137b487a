/** Replaces every text that is scrubbed. */
export const SCRUBBED = '[REDACTED]'
