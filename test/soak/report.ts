import { median } from '../support/quantile.ts'
import { escaped, type Line, plot } from './plot.ts'
import type { Sample } from './samples.ts'
import type { SoakResult } from './soak.ts'

const MIB = 2 ** 20
/** The number of points of a line of requests. */
const POINTS = 60
/** The requests whose times are drawn. */
const DRAWN = ['prompt', 'stream', 'inbox', 'search', 'erasure']
const NAMES = { sqlite: 'SQLite', postgres: 'PostgreSQL' }

/** Writes the report of a soak: a page that needs nothing else, in light and in dark. */
export function reportOf(result: SoakResult): string {
  const { engine, replicas, rate, seconds, ledger, samples, promises } = result
  const broken = promises.filter(({ broken }) => broken.length > 0)
  const kills = ledger.kills.map(({ at }) => at / 1000)
  const drawn = (title: string, unit: string, lines: Line[]) =>
    plot({ title, unit, lines, seconds: whole, kills })
  const whole = Math.max(seconds, ...samples.map(({ at }) => at / 1000))
  const ofReplicas = (value: (sample: Sample) => number) => linesOfReplicas(samples, value)
  const [first] = Object.values(Object.groupBy(samples, ({ replica }) => replica))
  const ofDatabase = (name: string, value: (sample: Sample) => number): Line => ({
    name,
    parts: [(first ?? []).map((sample) => [sample.at / 1000, value(sample)])],
  })
  const rows = promises.map(
    ({
      promise,
      measured,
      broken,
    }) => `<tr class="${broken.length > 0 ? 'bad' : 'good'}"><td>${broken.length > 0 ? '✗' : '✓'}</td>
<td>${escaped(promise)}${
      broken.length > 0
        ? `<ul>${broken
            .slice(0, 20)
            .map((what) => `<li>${escaped(what)}</li>`)
            .join('')}</ul>`
        : ''
    }</td>
<td>${escaped(measured)}</td></tr>`,
  )
  const returned = ledger.kills.map(({ backAfterMs }) => backAfterMs / 1000)
  const facts = [
    [`${NAMES[engine]}, ${replicas} ${replicas === 1 ? 'process' : 'processes'}`, 'service'],
    [
      `${rate} a second for ${seconds < 180 ? `${Math.round(seconds)} s` : `${(seconds / 60).toFixed(0)} min`}`,
      'requests',
    ],
    [String(ledger.kills.length), 'kills'],
    [`${median(returned).toFixed(1)} s`, 'until a killed process is back'],
  ]
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Soak of Parley on ${NAMES[engine]}: ${broken.length === 0 ? 'all promises kept' : `${broken.length} broken`}</title>
<style>${STYLE}</style>
<main>
<header><h1>Soak on ${NAMES[engine]}</h1>
<p class="verdict ${broken.length === 0 ? 'good' : 'bad'}">${broken.length === 0 ? 'All promises were kept' : `${broken.length} of ${promises.length} promises were broken`}</p></header>
<dl>${facts.map(([value = '', name = '']) => `<div><dt>${escaped(name)}</dt><dd>${escaped(value)}</dd></div>`).join('')}</dl>
<table><thead><tr><th></th><th>Promise</th><th>Measured</th></tr></thead><tbody>${rows.join('')}</tbody></table>
<p class="note">Dashed lines are kills (SIGKILL).</p>
<div class="plots">
${drawn('Requests', 'a second', linesOfStatuses(result, whole))}
${drawn('Time of an answer', 'p95 in ms', linesOfTimes(result, whole))}
${drawn(
  'Memory',
  'MiB resident',
  ofReplicas(({ memory }) => memory / MIB),
)}
${drawn(
  'Delay of the event loop',
  'p99 in ms',
  ofReplicas(({ delayMs }) => delayMs),
)}
${drawn('Database', 'MiB', [ofDatabase('database', ({ databaseBytes }) => databaseBytes / MIB), ofDatabase('write-ahead log', ({ walBytes }) => walBytes / MIB)])}
${drawn('Queues', 'pieces', [
  ofDatabase('webhooks', ({ queues }) => queues.deliveries),
  ofDatabase('messages of the channel', ({ queues }) => queues.channelEvents),
  ofDatabase('other work', ({ queues }) => queues.work),
  ofDatabase('texts to index', ({ queues }) => queues.search),
])}
${drawn('Oldest piece that waits', 'seconds', [ofDatabase('oldest', ({ queues }) => queues.oldestSeconds)])}
</div></main></html>
`
}

/** Returns a line for each replica, broken where a process was killed. */
function linesOfReplicas(samples: readonly Sample[], value: (sample: Sample) => number): Line[] {
  return [...Map.groupBy(samples, ({ replica }) => replica)].map(([replica, own]) => ({
    name: `process ${replica + 1}`,
    parts: [...Map.groupBy(own, ({ pid }) => pid).values()].map((life) =>
      life.map((sample) => [sample.at / 1000, value(sample)] as const),
    ),
  }))
}

function linesOfStatuses({ ledger }: SoakResult, whole: number): Line[] {
  const kinds = {
    answered: (status: number) => status >= 200 && status < 500,
    '503 and other failures': (status: number) => status >= 500,
    'broken off by a kill': (status: number) => status === 0,
  }
  const width = whole / POINTS
  return Object.entries(kinds).map(([name, isOne]) => {
    const counts = Array<number>(POINTS).fill(0)
    for (const { at, status } of ledger.asked) {
      const place = Math.min(POINTS - 1, Math.floor(at / 1000 / width))
      if (isOne(status)) counts[place] = (counts[place] ?? 0) + 1
    }
    return { name, parts: [counts.map((count, place) => [(place + 0.5) * width, count / width] as const)] }
  })
}

function linesOfTimes({ ledger }: SoakResult, whole: number): Line[] {
  const width = whole / POINTS
  return DRAWN.map((name) => {
    const own = ledger.asked.filter(({ what, status }) => what === name && status === 200)
    const places = [...Map.groupBy(own, ({ at }) => Math.floor(at / 1000 / width))].sort(([a], [b]) => a - b)
    return {
      name,
      parts: [
        places.map(([place, asked]) => {
          const times = asked.map(({ ms }) => ms).sort((a, b) => a - b)
          return [(place + 0.5) * width, times[Math.floor(times.length * 0.95)] ?? 0] as const
        }),
      ],
    }
  })
}

const STYLE = `
:root { color-scheme: light dark; --page: #f6f7f9; --card: #fff; --text: #1b2330; --soft: #5b6675; --rule: #e3e7ec;
  --good: #13795b; --bad: #c0262d; --c0: #2563eb; --c1: #d9480f; --c2: #0f9d76; --c3: #9333ea; --c4: #a16207 }
@media (prefers-color-scheme: dark) { :root { --page: #12161c; --card: #1b212a; --text: #e6eaf0; --soft: #9aa5b4;
  --rule: #2c3541; --good: #4cc79c; --bad: #ff7b7b; --c0: #6ea8fe; --c1: #ff9f68; --c2: #4cd4a9; --c3: #c89bff; --c4: #e3b341 } }
body { margin: 0; background: var(--page); color: var(--text); font: 15px/1.5 system-ui, sans-serif }
main { max-width: 1180px; margin: 0 auto; padding: 32px 20px 48px }
header { display: flex; flex-wrap: wrap; gap: 8px 16px; align-items: center; justify-content: space-between }
h1 { margin: 0; font-size: 26px; letter-spacing: -.01em }
.verdict { margin: 0; padding: 4px 14px; border-radius: 99px; font-weight: 600; border: 1px solid currentColor }
.verdict.good, .good td:first-child { color: var(--good) } .verdict.bad, .bad td:first-child { color: var(--bad) }
dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(170px, 1fr)); gap: 12px; margin: 20px 0 }
dl div, table, figure { background: var(--card); border: 1px solid var(--rule); border-radius: 10px }
dl div { padding: 12px 16px } dt { color: var(--soft); font-size: 13px } dd { margin: 0; font-weight: 600 }
table { width: 100%; border-spacing: 0; overflow: hidden } th { text-align: left; color: var(--soft); font-weight: 500; font-size: 13px }
th, td { padding: 8px 14px; vertical-align: top } tbody td { border-top: 1px solid var(--rule) }
td:first-child { width: 1em; font-weight: 700 } td:last-child { color: var(--soft); width: 34% } td ul { margin: 4px 0 0; padding-left: 18px; overflow-wrap: anywhere }
.note { color: var(--soft); font-size: 13px; margin: 24px 0 8px }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 460px), 1fr)); gap: 16px }
figure { margin: 0; padding: 14px 16px } figcaption { font-weight: 600; margin-bottom: 6px } small { color: var(--soft); font-weight: 400 }
svg { width: 100%; height: auto; display: block } svg text { font-size: 12px; fill: var(--soft); dominant-baseline: middle }
.row { text-anchor: end } .column { text-anchor: middle } .grid { stroke: var(--rule); fill: none }
.kill { stroke: var(--bad); stroke-dasharray: 3 4; opacity: .7 } .line { fill: none; stroke-width: 1.8; stroke-linejoin: round }
figure ul { display: flex; flex-wrap: wrap; gap: 2px 16px; margin: 6px 0 0; padding: 0; list-style: none; font-size: 13px }
figure li::before { content: ''; display: inline-block; width: 10px; height: 10px; border-radius: 3px; margin-right: 6px; background: var(--own) }
.c0 { --own: var(--c0) } .c1 { --own: var(--c1) } .c2 { --own: var(--c2) } .c3 { --own: var(--c3) } .c4 { --own: var(--c4) }
.line { stroke: var(--own) }
@media (max-width: 560px) { main { padding: 20px 12px } thead { display: none } tr { display: grid; grid-template-columns: 3em 1fr }
  td { padding: 8px 8px 8px 14px } td:first-child { grid-row: 1 / 3; width: auto } td:last-child { grid-column: 2; width: auto; padding-top: 0; border: 0 } }
`
