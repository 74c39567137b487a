/** The replacement for every scrubbed text. */
export const SCRUBBED = '[REDACTED]'
