import type { Report } from './measure.ts'
import type { Miss, Tally } from './score.ts'

/** Types of which every value has to go. */
const MUST_BE_ALL = ['card', 'iban', 'us-ssn', 'ipv4', 'ipv6', 'mac', 'btc', 'eth']

/** Prints one row a figure, one column an engine, then the weakest types and the misses. */
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
    [
      'hostile kinds over 300 ms',
      ({ hostile }) => hostile && overLimit(hostile.map(({ large }) => large.worst)),
    ],
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
  const slow = [...(report.hostile ?? [])].sort((a, b) => b.large.worst - a.large.worst).slice(0, 5)
  if (slow.length > 0) {
    print(
      `${report.name}, slowest texts: ${slow.map(({ kind, large }) => `"${kind}" ${ms(large.worst)}`).join(', ')}`,
    )
  }
  if (misses > 0) printMisses(report.misses ?? [], misses)
}

/** How many misses each type and language has, then a sample spread over all of them. */
function printMisses(all: Miss[], count: number): void {
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

function sum(tallies: Map<string, Tally>, types?: string[]): Tally {
  const total = { found: 0, total: 0 }
  for (const [type, tally] of tallies) {
    if (types && !types.includes(type)) continue
    total.found += tally.found
    total.total += tally.total
  }
  return total
}

const share = ({ found, total }: Tally) => `${((100 * found) / total).toFixed(2)}% (${found}/${total})`
const ms = (value: number) => (Number.isFinite(value) ? `${value.toFixed(1)} ms` : 'ended')
const overLimit = (times: number[]) => `${times.filter((time) => time > 300).length} of ${times.length}`

function worstHostile({ hostile }: Report): string | undefined {
  if (!hostile) return undefined
  const ended = hostile.filter(({ large }) => !Number.isFinite(large.worst)).length
  return ended > 0
    ? `${ended} of ${hostile.length} kinds ended at 5 s`
    : ms(Math.max(...hostile.map(({ large }) => large.worst)))
}

/** Of the typical rounds, as growth is asked for and not what else the machine did; below 5 ms all is noise. */
function worstRatio({ hostile }: Report): string | undefined {
  const ratios = (hostile ?? [])
    .filter(({ large }) => Number.isFinite(large.typical) && large.typical >= 5)
    .map(({ kind, small, large }) => ({ kind, ratio: large.typical / small.typical }))
    .sort((a, b) => b.ratio - a.ratio)
  return ratios[0] && `${ratios[0].ratio.toFixed(1)} ("${ratios[0].kind}")`
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
