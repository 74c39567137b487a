import { type By, breakdowns, type Plotted, plotted } from './figures.ts'

/** The choices of the support page, as in its address. */
export interface SupportSearch {
  /** Days as YYYY-MM-DD, both inclusive. */
  from?: string
  to?: string
  by?: By
  zone?: string
  plot?: Plotted
}

const DAY = /^\d{4}-\d\d-\d\d$/

/** Reads what an address says of the support page. Invalid values are left out. */
export function supportSearch({ from, to, by, zone, plot }: Record<string, unknown>): SupportSearch {
  return {
    ...(isDay(from) && isDay(to) && from <= to ? { from, to } : {}),
    ...(breakdowns.includes(by as By) ? { by: by as By } : {}),
    ...(typeof zone === 'string' && isTimeZone(zone) ? { zone } : {}),
    ...(plotted.includes(plot as Plotted) ? { plot: plot as Plotted } : {}),
  }
}

function isDay(value: unknown): value is string {
  return typeof value === 'string' && DAY.test(value) && !Number.isNaN(Date.parse(value))
}

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}
