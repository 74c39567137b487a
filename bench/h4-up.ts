import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, existsSync, readFileSync, writeFileSync, mkdirSync, appendFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { freePort, startServer } from './support/servers.ts'
const SERVER = 'postgres://parley@127.0.0.1:45444/'
const SIZE = Number(process.env.SIZE ?? 20000)
const RUNS = Number(process.env.RUNS ?? 3)
const OLD = process.env.OLDTREE ?? '/work/trees/old', NEW = '/work/trees/h4'
const TEMPLATE = `h4_old_${SIZE}`
const log = (w: string) => { console.log(new Date().toISOString().slice(11, 23), w) }
const dataDir = `/tmp/h4/up-${SIZE}`; mkdirSync(dataDir, { recursive: true })
async function admin(sql: string) { const c = new pg.Client(SERVER + 'postgres'); await c.connect(); await c.query(sql); await c.end() }
async function serve(tree: string, db: string, name: string, env: Record<string,string> = {}) {
  const child = spawn(`${tree}/node_modules/.bin/node`, ['src/main.js', 'serve', '--json'], { cwd: tree, env: { ...process.env, PARLEY_PORT: '0', PARLEY_DATA_DIR: dataDir, PARLEY_LOG_LEVEL: 'warn', PARLEY_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'), PARLEY_DATABASE_URL: SERVER + db, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  const out = createWriteStream(`/tmp/h4/up-${name}.log`)
  child.stderr.pipe(out)
  const first = await new Promise<any>((ok, no) => { let done = false; child.stdout.on('data', (d) => { if (!done) { done = true; ok(JSON.parse(String(d).split('\n')[0]!)) } else out.write(d) }); child.on('exit', (c) => no(new Error(`${name} exit ${c}`))) })
  return { name, url: first.url as string, first, child, pid: child.pid!, log: `/tmp/h4/up-${name}.log`, async stop() { child.removeAllListeners('exit'); if (child.exitCode !== null) return; const e = once(child, 'exit'); child.kill('SIGTERM'); const [c] = await e; return c } }
}
async function template() {
  await admin(`drop database if exists ${TEMPLATE} with (force)`); await admin(`create database ${TEMPLATE}`)
  const s = await serve(OLD, TEMPLATE, 'first'); writeFileSync(`${dataDir}/cred.json`, JSON.stringify(s.first)); await s.stop()
  const c = new pg.Client(SERVER + TEMPLATE); await c.connect()
  const AT = `'2026-01-' || (10 + n % 18) || 'T10:00:00.000Z'`
  const id = `'00000000-0000-7000-8000-' || (100000000000 + n)`, completion = `'00000000-0000-7000-9000-' || (100000000000 + n)`
  const each = (t: string, cols: string, v: string) => c.query(`insert into ${t} (${cols}) with recursive numbers(n) as (select 0 union all select n + 1 from numbers where n < ${SIZE - 1}) select ${v}`)
  await each('conversations', 'id, agent_id, team_id, sequence, external_id, user_id, tags, started_at, ended_at, agent_paused', `${id}, 1, 1, n + 1, 'ticket-' || n, 'user-' || (n / 5), case when n % 4 = 1 then '{"plan":"pro","seats":7,"beta":true,"more":{"a":1}}' end, ${AT}, case when n % 10 = 0 then ${AT} end, case when n % 10 < 2 then 1 else 0 end from numbers`)
  await each('completions', 'id, agent_id, conversation_id, user_id, language, created_at, answered_at, model, tags, redacted', `${completion}, 1, ${id}, 'user-' || (n / 5), case when n % 3 > 0 then 'de' end, ${AT}, ${AT}, 'm', '[]', case when n % 7 = 0 then ${AT} end from numbers`)
  for (const role of ['system', 'user', 'assistant']) await each('messages', 'agent_id, conversation_id, completion_id, role, content, tool_calls, created_at, redacted', `1, ${id}, ${completion}, '${role}', '"Where is my parcel?"', case when n % 3 = 1 then '[]' end, ${AT}, case when n % 7 = 0 then ${AT} end from numbers`)
  await each('users', 'agent_id, id, first_seen_at', `1, 'user-' || (n / 5), ${AT} from numbers where n % 5 = 0`)
  await each('idempotency_keys', 'agent_id, key, fingerprint, completion_id, created_at', `1, 'key ' || n, 'hash', ${completion}, ${AT} from numbers where n % 4 = 0`)
  await each('events', 'agent_id, key, occurred_at, conversation_id, completion_id, data', `1, 'prompt_submit', ${AT}, ${id}, ${completion}, case when n % 5 = 0 then '{}' end from numbers`)
  for (const note of ['first', 'second']) await each('conversation_notes', 'agent_id, conversation_id, completion_id, text, author, created_at', `1, ${id}, ${completion}, '${note}', 'rule', '2026-02-01' from numbers where n % 6 = 0`)
  const r = await c.query(`update agent_counters set conversations = ${SIZE}, last_conversation_id = '00000000-0000-7000-8000-' || (100000000000 + ${SIZE - 1}) where agent_id = 1`)
  if (r.rowCount === 0) await c.query(`insert into agent_counters values (1, ${SIZE}, '00000000-0000-7000-8000-' || (100000000000 + ${SIZE - 1}))`)
  await c.query('vacuum analyze'); await c.end()
}
if (!existsSync(`${dataDir}/cred.json`)) { log('template'); await template() }
const { api_key, bearer_token } = JSON.parse(readFileSync(`${dataDir}/cred.json`, 'utf8'))
const headers = { 'x-api-key': api_key, authorization: `Bearer ${bearer_token}`, 'content-type': 'application/json' }
const modelPort = await freePort()
const model = await startServer('model', ['bench/support/model-server.ts', `${modelPort}`, 'packet'], modelPort)
for (let run = 0; run < RUNS; run++) {
  const name = `h4_up_${SIZE}`
  await admin(`drop database if exists ${name} with (force)`); await admin(`create database ${name} template ${TEMPLATE}`)
  const env = { PARLEY_MODEL_URL: `${model.url}/v1` }
  const old = await serve(OLD, name, `old-${SIZE}-${run}`, env)
  const live = [old]
  let waits: { ms: number; who: string }[] = []; const errors: string[] = []; let over = false
  const client = (async () => {
    for (let n = 0; !over; n++) {
      const s = live[n % live.length]!; const b = performance.now()
      const conv = n % 2 ? { conversation_id: `00000000-0000-7000-8000-${100000000000 + (n * 7919) % SIZE}` } : {}
      try {
        const a = await fetch(`${s.url}/api/v1/chat/completions`, { method: 'POST', headers, body: JSON.stringify({ model: 'any', user: `user-${n % 50}`, ...conv, messages: [{ role: 'user', content: `What are your opening hours on Saturday? ${n}` }] }) })
        const t = await a.text()
        if (a.status !== 200 && !t.includes('paused') && !t.includes('ended')) errors.push(`${s.name} ${a.status} ${t.slice(0, 200)}`)
      } catch (e) { errors.push(`${s.name} ${e} ${(e as any).cause}`) }
      const ms = performance.now() - b; waits.push({ ms, who: s.name }); if (ms > 1000) log(`  waited ${Math.round(ms)} ms at ${s.name}`)
      await wait(20)
    }
  })()
  const phase = async (title: string, work: () => Promise<string>) => {
    waits = []; const b = performance.now(); const said = await work(); const t = waits.map((w) => w.ms).sort((a, b) => a - b)
    log(`run ${run} ${title}: ${((performance.now() - b) / 1000).toFixed(1)} s, prompts ${t.length}, p50 ${t[t.length >> 1]?.toFixed(0)} longest ${t.at(-1)?.toFixed(0)} ms, errors ${errors.length} ${said}`)
  }
  await phase('before', async () => { await wait(5000); return '' })
  await phase('migrate', async () => {
    const m = spawn(`${NEW}/node_modules/.bin/node`, ['src/main.js', 'migrate'], { cwd: NEW, env: { ...process.env, PARLEY_DATABASE_URL: SERVER + name, PARLEY_DATA_DIR: dataDir, PARLEY_MASTER_KEY: Buffer.alloc(32, 1).toString('base64') }, stdio: ['ignore', 'pipe', 'pipe'] })
    let text = ''; m.stdout.on('data', (d) => { text += d }); m.stderr.on('data', (d) => { text += d }); const [code] = await once(m, 'exit'); writeFileSync(`/tmp/h4/up-migrate-${SIZE}-${run}.log`, text)
    return `exit ${code}${code ? text.slice(-600) : ''}`
  })
  await phase('old on the new schema', async () => { await wait(5000); return '' })
  let fresh!: typeof old
  await phase('new starts', async () => { fresh = await serve(NEW, name, `new-${SIZE}-${run}`, env); return '' })
  live.push(fresh)
  await phase('both', async () => { await wait(8000); return '' })
  await phase('old ends', async () => { live.shift(); await wait(50); const c = await old.stop(); return `exit ${c}` })
  await phase('background work', async () => {
    const c = new pg.Client(SERVER + name); await c.connect()
    for (let i = 0; i < 2400; i++) { const r = await c.query('select name from backfills'); const u = (await c.query('select count(*)::int n from unsourced_users')).rows[0].n; if (r.rowCount === 0) { await c.end(); return `unsourced left ${u}` } await wait(250) }
    const r = await c.query('select * from backfills'); await c.end(); return JSON.stringify(r.rows) })
  await phase('after', async () => { await wait(3000); return '' })
  over = true; await client; await fresh.stop()
  for (const e of new Set(errors.map((e) => e.replace(/req_\w+/, "")))) log(`  error ${e}`)
  for (const s of [old, fresh]) { const t = readFileSync(s.log, 'utf8').trim(); if (t) { log(`  ${s.name} logged ${t.split('\n').length} lines`); console.log(t.split('\n').slice(0, 8).map((l) => l.slice(0, 400)).join('\n')) } }
}
await model.stop()
