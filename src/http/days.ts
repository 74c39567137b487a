import { z } from 'zod'
import { invalidField } from '../errors.ts'
import { DAY_MS, timestamp } from '../lib/clock.ts'

const MOST_DAYS = 366
/** The first day that YYYY-MM-DD can express. */
const FIRST_DAY = Date.parse('0000-01-01')

const day = z.iso.date('must be a day as YYYY-MM-DD')

/** The query parameters of reports by day. */
export const daysQuery = z.object({
  from: day.optional().describe('First day; 29 days before the last one when absent.'),
  to: day.optional().describe('Last day; today when absent.'),
})

/**
 * Returns the first and the last day of a query.
 * @throws ApiError invalid_request when they are too far apart
 */
export function dayRange(query: z.output<typeof daysQuery>, today: string): { from: string; to: string } {
  const to = query.to ?? today
  const from = query.from ?? timestamp(Math.max(Date.parse(to) - 29 * DAY_MS, FIRST_DAY)).slice(0, 10)
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  if (days < 1 || days > MOST_DAYS) {
    throw invalidField('from', `must be at most ${MOST_DAYS - 1} days before to, and not after it.`)
  }
  return { from, to }
}
