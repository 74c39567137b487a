/** Names in words what ends a run before its end; rows keep the words. */
export const runErrors = {
  process_ended: 'the run ended the service several times',
  internal: 'an internal error ended the run; the log says more',
} as const

export const runErrorCodes = ['process_ended', 'internal'] as const

/** Returns the code of what ended a run; null: nothing did. */
export function runErrorCode(error: string | null): (typeof runErrorCodes)[number] | null {
  return runErrorCodes.find((code) => runErrors[code] === error) ?? null
}
