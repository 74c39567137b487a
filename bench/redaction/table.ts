import type { Report } from './measure.ts'
import type { Miss, Tally } from './score.ts'
import type { HostileResult } from './timing.ts'

/** The types of which every value must be removed. */
const MUST_BE_ALL = ['card', 'iban', 'us-ssn', 'ipv4', 'ipv6', 'mac', 'btc', 'eth']

/** Prints one row for each figure and one column for each engine, then the weakest types and the misses. */
export function printReports(reports: Report[], misses: number): void {
  const rows: [label: string, cell: (report: Report) => string | undefined][] = [
    ['checkable recall', ({ checkable }) => checkable && share(sum(checkable))],
    ['  must be all', ({ checkable }) => checkable && share(sum(checkable, MUST_BE_ALL))],
    ['contextual recall', ({ contextual }) => contextual && share(sum(contextual))],
    [
      '  names',
      ({ contextual }) =>
        contextual && share(sum(contextual, ['name', 'name:given', 'name:family', 'name:lower', 'again'])),
    ],
    ['  addresses', ({ contextual }) => contextual && share(sum(contextual, ['address', 'address:box']))],
    ['  postcodes', ({ contextual }) => contextual && share(sum(contextual, ['address:postcode']))],
    ['  birth dates', ({ contextual }) => contextual && share(sum(contextual, ['birth']))],
    ['alarms: hard negatives', ({ hardAlarms }) => hardAlarms && share(hardAlarms)],
    ['alarms: ordinary', ({ ordinaryAlarms }) => ordinaryAlarms && share(ordinaryAlarms)],
    ['words lost outside', ({ wordsLost }) => wordsLost && share(wordsLost)],
    ['second pass differs', ({ unstable }) => unstable && `${unstable.found} of ${unstable.total}`],
    ['MB/s', ({ megabytesPerSecond }) => megabytesPerSecond?.toFixed(2)],
    ['worst hostile 1 MB, ms', (report) => worstHostile(report)],
    ['hostile kinds over 300 ms', ({ hostile }) => hostile && overLimit(hostile.map(({ worst }) => worst))],
    ['  of processor time', ({ hostile }) => hostile && overLimit(hostile.map(processorOf))],
    ['worst of processor time', ({ hostile }) => hostile && ms(Math.max(...hostile.map(processorOf)))],
    ['worst 10x ratio', (report) => worstRatio(report)],
  ]
  const ran = reports.filter((report) => !report.failure)
  const table = [['', ...ran.map(({ name }) => name)]]
  for (const [label, cell] of rows) {
    const cells = ran.map((report) => cell(report) ?? '')
    if (cells.some(Boolean)) table.push([label, ...cells])
  }
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? []
  for (const row of table) print(row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  for (const { name, failure } of reports) if (failure) print(`\n${name} did not run: ${failure}`)
  for (const report of ran) printDetails(report, misses)
}

function printDetails(report: Report, misses: number): void {
  const tallies = [...(report.checkable ?? []), ...(report.contextual ?? [])]
  const weakest = tallies
    .filter(([, tally]) => tally.found < tally.total)
    .sort(([, a], [, b]) => a.found / a.total - b.found / b.total)
    .slice(0, 12)
  if (weakest.length > 0) {
    print(
      `\n${report.name}, weakest types: ${weakest.map(([type, t]) => `${type} ${t.found}/${t.total}`).join(', ')}`,
    )
  }
  const slow = [...(report.hostile ?? [])].sort((a, b) => b.worst - a.worst).slice(0, 5)
  if (slow.length > 0) {
    print(
      `${report.name}, slowest texts: ${slow.map(({ kind, worst }) => `"${kind}" ${ms(worst)}`).join(', ')}`,
    )
  }
  const growing = byGrowth(report.hostile ?? []).slice(0, 5)
  if (growing.length > 0) {
    print(
      `${report.name}, ten times the text: ${growing.map(({ kind, growth }) => `"${kind}" ${growth.toFixed(1)}`).join(', ')}`,
    )
  }
  if (misses > 0) printMisses(report.misses ?? [], misses)
}

/** Prints the number of misses of each type and language, then a sample spread over all of them. */
export function printMisses(all: Miss[], count: number): void {
  const groups = [...Map.groupBy(all, ({ type, language }) => `${type} ${language}`)]
    .map(([group, { length }]) => ({ group, length }))
    .sort((a, b) => b.length - a.length)
  print(`misses: ${groups.map(({ group, length }) => `${group} ${length}`).join(', ')}`)
  const step = Math.max(1, all.length / count)
  for (let at = 0; at < all.length; at += step) {
    const miss = all[Math.floor(at)]
    if (miss)
      print(
        `  ${miss.type} ${miss.language}: ${JSON.stringify(miss.text)}\n    → ${JSON.stringify(miss.output)}`,
      )
  }
}

export function sum(tallies: Map<string, Tally>, types?: string[]): Tally {
  const total = { found: 0, total: 0 }
  for (const [type, tally] of tallies) {
    if (types && !types.includes(type)) continue
    total.found += tally.found
    total.total += tally.total
  }
  return total
}

export const share = ({ found, total }: Tally) => `${((100 * found) / total).toFixed(2)}% (${found}/${total})`
const processorOf = ({ processor = Number.POSITIVE_INFINITY }: HostileResult) => processor
const ms = (value: number) => (Number.isFinite(value) ? `${value.toFixed(1)} ms` : 'ended')
const overLimit = (times: number[]) => `${times.filter((time) => time > 300).length} of ${times.length}`

function worstHostile({ hostile }: Report): string | undefined {
  if (!hostile) return undefined
  const ended = hostile.filter(({ worst }) => !Number.isFinite(worst)).length
  return ended > 0
    ? `${ended} of ${hostile.length} kinds ended at 5 s`
    : ms(Math.max(...hostile.map(({ worst }) => worst)))
}

function worstRatio({ hostile }: Report): string | undefined {
  const [worst] = byGrowth(hostile ?? [])
  return worst && `${worst.growth.toFixed(1)} ("${worst.kind}")`
}

function byGrowth(hostile: readonly HostileResult[]): { kind: string; growth: number }[] {
  return hostile
    .flatMap(({ kind, growth }) => (growth === undefined ? [] : [{ kind, growth }]))
    .sort((a, b) => b.growth - a.growth)
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
