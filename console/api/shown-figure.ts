import type { FigureFilter } from '../../src/analytics/support/figure-filter.ts'

const DATE = String.raw`\d{4}-\d\d-\d\d`
const FIGURE = new RegExp(
  `^([a-z_0-9]+):(${DATE}):(${DATE}):([^:]+)(?::(operator|group|channel|tag|language|hour):(.*))?$`,
  's',
)

/** Reads the figure of the support page whose conversations the inbox shows. Null if a text names none. */
export function readShownFigure(text: string): FigureFilter | null {
  const [is, figure = '', from = '', to = '', timeZone = '', by = null, value = ''] = FIGURE.exec(text) ?? []
  return is ? ({ figure, from, to, timeZone, by, value } as FigureFilter) : null
}

/** Returns a figure as the service and addresses name it. */
export function shownFigure({ figure, from, to, timeZone, by, value }: FigureFilter): string {
  const part = by === null ? [] : [by, value]
  return [figure, from, to, timeZone, ...part].join(':')
}
