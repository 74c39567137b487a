import type { Analytics } from '../../api/types.ts'

export type Day = Analytics['days'][number]
export type Figure = Exclude<keyof Day, 'date'>

/** The figures of a day, in the order of the table's columns. */
export const figures = [
  'prompts',
  'responses',
  'unanswered',
  'likes',
  'flags',
  'errors',
  'guardrail_hits',
  'ctas_shown',
  'cta_clicks',
  'cta_rate',
  'median_ms',
  'p95_ms',
] as const satisfies Figure[]
