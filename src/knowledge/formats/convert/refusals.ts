import { because } from '../../reasons.ts'

/** Reasons for which a file is not read this time. */
export const TOO_SLOW = { refused: because('too_slow'), isPassing: true } as const
export const TOO_LARGE = { refused: because('too_much_memory'), isPassing: true } as const
export const SPENT = {
  refused: because('time_spent'),
  isPassing: true,
} as const
