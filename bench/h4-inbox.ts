import { readFileSync } from 'node:fs'
import { inboxSorts, inboxViews } from '../src/transcripts/inbox/inbox-query.ts'
import { median, printTable } from './support/load.ts'
import { startParley } from './support/servers.ts'
const kind = process.argv[2]; const ROUNDS = Number(process.env.ROUNDS ?? 15)
const QUERIES = process.env.Q?.split(' ') ?? [
  ...inboxViews.filter((view) => view !== 'mine').flatMap((view) => inboxSorts.map((sort) => `view=${view}&sort=${sort}`)),
  'assignee=3','view=all&language=de','channel_id=8','user_id=user-1','tag=plan:pro','tag=rare:yes','tag=plan:pro&language=de']
const servers = []
const others = process.env.OTHER ? (await import(process.env.OTHER+'/bench/support/servers.ts')).startParley : null
for (const size of (process.env.SIZES??'10000,1000000').split(',')) for (const start of [...(others?[others]:[]), startParley]) {
  const env = kind==='pg' ? { PARLEY_DATABASE_URL: `postgres://parley@127.0.0.1:45444/h4_inbox_${size}` } : {}
  const p = { ...(await start({...env, PARLEY_ROLES:'api'}, `/tmp/h4/inbox-${kind}-${size}`)), headers: JSON.parse(readFileSync(`/tmp/h4/inbox-${kind}-${size}.json`,'utf8')) }
  servers.push(p)
}
const rows = []
for (const query of QUERIES) {
  const times = servers.map(() => [] as number[]); let found = 0
  for (let round = -3; round < ROUNDS; round++) for (const [at, p] of servers.entries()) {
    const b = performance.now(); const a = await fetch(`${p.url}/api/v1/inbox?${query}`, { headers: p.headers }); const body = await a.json() as any
    if (a.status !== 200) throw new Error(JSON.stringify(body)); if (round >= 0) times[at]!.push(performance.now() - b); found = body.data.length }
  const m = times.map(median); rows.push([query, ...m, m.at(-1)! / m[0]!, found])
}
printTable([['p50', ...servers.map((_, i) => String(i)), 'ratio', 'rows'], ...rows])
for (const p of servers) await p.stop()
