import type { FigureFilter } from '../../../src/analytics/support/figure-filter.ts'
import type { FigureName } from '../../../src/analytics/support/figures.ts'
import type { SupportAnalytics } from '../../api/types.ts'
import type { By } from './figures.ts'

/** Returns where a figure leads: in total, or of a row. */
export type LinkTo = (figure: FigureName, value?: string) => FigureFilter

/** Returns the function for figures that were read. The row of a day leads to the conversations of that day. */
export function linksOf({ from, to, time_zone, by }: SupportAnalytics): LinkTo {
  const all = { from, to, timeZone: time_zone, by: null, value: '' }
  return (figure, value) => {
    if (value === undefined) return { ...all, figure }
    if (by === 'day') return { ...all, figure, from: value, to: value }
    return { ...all, figure, by: by as Exclude<By, 'day'>, value }
  }
}
