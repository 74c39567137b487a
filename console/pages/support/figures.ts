import type { FigureName } from '../../../src/analytics/support/figures.ts'
import type { SupportAnalytics } from '../../api/types.ts'

export type Figures = SupportAnalytics['totals']

/** The ways in which the figures can be broken down. */
export const breakdowns = [
  'day',
  'hour',
  'operator',
  'group',
  'channel',
  'tag',
  'language',
] as const satisfies SupportAnalytics['by'][]
export type By = (typeof breakdowns)[number]

/** The figures that can be plotted: those of the table, then others. */
export const plotted = [
  'conversations',
  'waited',
  'answered',
  'solved_by_agent',
  'solved_by_person',
  'answer',
  'solution',
  'targets_missed',
  'rating_mean',
  'ended',
  'reopened',
  'targets_met',
  'rated',
] as const
export type Plotted = (typeof plotted)[number]

/** The figures of the table. */
export const columns: readonly Plotted[] = plotted.slice(0, 9)

/** The figures that measure something of conversations, each with the figure that counts these conversations. */
const MEASURED: Partial<Record<Plotted, FigureName | null>> = {
  answer: 'answered',
  solution: null,
  rating_mean: 'rated',
}

/** Returns the figure whose conversations stand behind what is shown; null: no single one does. */
export function countOf(figure: Plotted): FigureName | null {
  const counted = MEASURED[figure]
  return counted === undefined ? (figure as FigureName) : counted
}

export function isLength(figure: Plotted): figure is 'answer' | 'solution' {
  return figure === 'answer' || figure === 'solution'
}

/**
 * Returns the number that is shown for a figure. For a duration it is the median in milliseconds within opening hours,
 * which counts all time where groups and agent have no hours.
 */
export function numberOf(figures: Figures, figure: Plotted): number | null {
  return isLength(figure) ? figures[`${figure}_open`].median_ms : figures[figure]
}

/** Tells whether a duration within opening hours differs from the full one. */
export function hasHours(figures: Figures, figure: 'answer' | 'solution'): boolean {
  const [all, open] = [figures[figure], figures[`${figure}_open`]]
  return all.median_ms !== open.median_ms || all.p90_ms !== open.p90_ms
}

/** Returns a part of a whole; null: there is no whole. */
export function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}
