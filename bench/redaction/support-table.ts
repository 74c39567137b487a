import { PARTS } from './held-back.ts'
import type { Tally } from './score.ts'
import type { SupportFigures, SupportReport } from './support-score.ts'
import { print, printMisses, share, sum } from './table.ts'

/** Prints a table in Markdown, as the guide has it, with one row for each engine and part. */
export function printSupport(reports: Map<string, SupportReport>): void {
  const header = [
    '',
    'people',
    'addresses',
    'structured',
    'right type',
    'false alarms',
    'words lost',
    'second pass',
    'origins, Latin / own script / both',
  ]
  const rows = [...reports].flatMap(([name, { parts }]) =>
    PARTS.map((part) => [`${name}, ${part}`, ...cellsOf(name, parts[part])]),
  )
  for (const row of [header, header.map(() => '---'), ...rows]) print(`| ${row.join(' | ')} |`)
}

function cellsOf(
  name: string,
  { byType, byOrigin, rightType, alarms, wordsLost, unstable }: SupportFigures,
): string[] {
  const structured = [...byType.keys()].filter((type) => type !== 'PERSON' && type !== 'LOCATION')
  return [
    share(sum(byType, ['PERSON'])),
    share(sum(byType, ['LOCATION'])),
    share(sum(byType, structured)),
    // The peers have other names for their types.
    name === 'parley' ? share(rightType) : '',
    share(alarms),
    share(wordsLost),
    `${unstable.found}`,
    `${[byOrigin.get('latin'), byOrigin.get('native'), together(byOrigin)].map(spread).join(' / ')} points`,
  ]
}

/** Prints the shares by type, language and origin of one engine, and some of its misses in the tuned part. */
export function printSupportDetails({ parts, misses }: SupportReport, count: number): void {
  for (const part of PARTS) {
    const { byType, byLanguage, byOrigin } = parts[part]
    printShares(`types, ${part}`, byType)
    printShares(`languages, ${part}`, byLanguage)
    printShares(`origins in Latin letters, ${part}`, byOrigin.get('latin'))
    printShares(`origins in their own script, ${part}`, byOrigin.get('native'))
  }
  if (count > 0) printMisses(misses, count)
}

/** Prints the shares from the worst to the best; of those that are complete only the names. */
function printShares(what: string, tallies: Map<string, Tally> = new Map()): void {
  const sorted = byShare(tallies)
  const partly = sorted.filter(([, { found, total }]) => found < total)
  const complete = sorted.filter(([, { found, total }]) => found === total)
  const named = partly.map(([name, tally]) => `${name} ${wholeShare(tally)}% of ${tally.total}`)
  const rest = complete.length > 0 ? [`all of ${complete.map(([name]) => name).join(', ')}`] : []
  print(`\n${what}: ${[...named, ...rest].join(', ')}`)
}

/** Returns the origins of both scripts, each under a name of its own. */
function together(byOrigin: Map<string, Map<string, Tally>>): Map<string, Tally> {
  const named = [...byOrigin].flatMap(([script, tallies]) =>
    [...tallies].map(([origin, tally]) => [`${origin} ${script}`, tally] as const),
  )
  return new Map(named)
}

/** Returns the points between the worst and the best. */
function spread(tallies: Map<string, Tally> = new Map()): string {
  const sorted = byShare(tallies).map(([, tally]) => tally)
  const [worst, best] = [sorted.at(0), sorted.at(-1)]
  return worst && best ? String(wholeShare(best) - wholeShare(worst)) : ''
}

function byShare(tallies: Map<string, Tally>): [name: string, tally: Tally][] {
  return [...tallies].sort(([, a], [, b]) => a.found / a.total - b.found / b.total)
}

const wholeShare = ({ found, total }: Tally) => Math.round((100 * found) / total)
