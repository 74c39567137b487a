import { PARTS, type Part } from './held-back.ts'
import type { Tally } from './score.ts'
import type { SupportFigures, SupportReport } from './support-score.ts'
import { print, printMisses, printTable, share, sum } from './table.ts'

/** Prints one row for each figure, with the tuned and the held-back part of each engine beside each other. */
export function printSupport(reports: Map<string, SupportReport>): void {
  const columns = [...reports].flatMap(([name, { parts }]) =>
    PARTS.map((part) => ({ name, part, of: parts[part] })),
  )
  const structured = ({ byType }: SupportFigures) =>
    [...byType.keys()].filter((type) => !UNSTRUCTURED.has(type))
  const rows: [label: string, cell: (figures: SupportFigures) => string][] = [
    ['people', ({ byType }) => share(sum(byType, ['PERSON']))],
    ['addresses', ({ byType }) => share(sum(byType, ['LOCATION']))],
    ['structured', (figures) => share(sum(figures.byType, structured(figures)))],
    ['  under a right type', ({ rightType }) => share(rightType)],
    ['false alarms', ({ alarms }) => share(alarms)],
    ['words lost', ({ wordsLost }) => share(wordsLost)],
    ['second pass differs', ({ unstable }) => `${unstable.found} of ${unstable.total}`],
    ['origins, latin', ({ byOrigin }) => spread(byOrigin.get('latin'))],
    ['origins, own script', ({ byOrigin }) => spread(byOrigin.get('native'))],
  ]
  printTable([
    ['', ...columns.map(({ name, part }) => `${name} ${part}`)],
    ...rows.map(([label, cell]) => [label, ...columns.map(({ of }) => cell(of))]),
  ])
}

/** Prints the shares by type, by language and by origin of one engine, and some of its misses in the tuned part. */
export function printSupportDetails({ parts, misses }: SupportReport, count: number): void {
  printShares('type', parts, ({ byType }) => byType)
  printShares('language', parts, ({ byLanguage }) => byLanguage)
  printShares('origin, latin', parts, ({ byOrigin }) => byOrigin.get('latin'))
  printShares('origin, own script', parts, ({ byOrigin }) => byOrigin.get('native'))
  if (count > 0) printMisses(misses, count)
}

const UNSTRUCTURED = new Set(['PERSON', 'LOCATION'])

function printShares(
  what: string,
  parts: Record<Part, SupportFigures>,
  pick: (figures: SupportFigures) => Map<string, Tally> | undefined,
): void {
  const [tuned, heldBack] = PARTS.map((part) => pick(parts[part]) ?? new Map<string, Tally>())
  const keys = [...new Set([...(tuned?.keys() ?? []), ...(heldBack?.keys() ?? [])])].sort()
  const cell = (tally: Tally | undefined) => (tally ? share(tally) : '')
  print('')
  printTable([[what, ...PARTS], ...keys.map((key) => [key, cell(tuned?.get(key)), cell(heldBack?.get(key))])])
}

/** Tells the worst and the best origin and how many points lie between them. */
function spread(origins: Map<string, Tally> | undefined): string {
  const shares = [...(origins ?? [])]
    .map(([name, { found, total }]) => ({ name, share: (100 * found) / total }))
    .sort((a, b) => a.share - b.share)
  const [worst, best] = [shares.at(0), shares.at(-1)]
  if (!worst || !best) return ''
  return `${(best.share - worst.share).toFixed(0)} points (${worst.name} ${worst.share.toFixed(0)}%, ${best.name} ${best.share.toFixed(0)}%)`
}
