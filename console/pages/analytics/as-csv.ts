import { type Day, figures } from './figures.ts'

/** Returns the days as the address of a CSV file, which holds the rows of the table. */
export function asCsv(days: readonly Day[]): string {
  const names = ['date', ...figures] as const
  const lines = [names, ...days.map((day) => names.map((name) => day[name] ?? ''))]
  return `data:text/csv;charset=utf-8,${encodeURIComponent(lines.map((line) => line.join(',')).join('\r\n'))}`
}
