// What does a file cost: 25 MiB in and out, in the database (SQLite) and in a store, beside a bare server that writes to a
// folder? And how much memory does it take?
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from '../test/support/quantile.ts'
import { startS3Peer } from '../test/support/s3-peer.ts'
import { printTable } from './support/load.ts'
import { type BenchServer, freePort, startParley, startServer } from './support/servers.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 8)
const MEBIBYTES = 25
const bytes = new Uint8Array(MEBIBYTES * 1024 * 1024)

const folder = await mkdtemp(join(tmpdir(), 'parley-bench-files-'))
await using store = await startS3Peer()
const port = await freePort()
const bare = await startServer('bare', ['bench/support/bare-files.ts', `${port}`, folder], port)
const inDatabase = { ...(await startParley()), name: 'parley, SQLite' }
const inStore = { ...(await startParley(store.settings)), name: 'parley, store' }
const servers = [
  { server: bare, up: '/files', down: async () => '/files' },
  await withConversation(inDatabase),
  await withConversation(inStore),
]
const rows: string[][] = []
for (const { server, up, down } of servers) {
  const before = server.memory()
  const [ins, outs]: [number[], number[]] = [[], []]
  let highest = before
  const watching = setInterval(() => {
    highest = Math.max(highest, server.memory())
  }, 20)
  for (let round = 0; round <= ROUNDS; round++) {
    let id = ''
    const up1 = await processorMs(server, async () => {
      const body = new FormData()
      body.append('file', new Blob([bytes]), 'a.bin')
      const answer = await fetch(server.url + up, { method: 'POST', headers: server.headers, body })
      if (!answer.ok) throw new Error(await answer.text())
      id = ((await answer.json()) as { data?: { id: string } }).data?.id ?? ''
    })
    const path = await down(id)
    const down1 = await processorMs(server, async () => {
      const answer = await fetch(server.url + path, { headers: server.headers })
      const { byteLength } = await answer.arrayBuffer()
      if (byteLength !== bytes.length) throw new Error(`${byteLength} bytes came back`)
    })
    // The first round compiles.
    if (round > 0) ins.push(up1) && outs.push(down1)
  }
  clearInterval(watching)
  rows.push([
    server.name,
    median(ins).toFixed(0),
    median(outs).toFixed(0),
    before.toFixed(0),
    highest.toFixed(0),
  ])
}
printTable([['server', 'ms in', 'ms out', 'MiB before', 'MiB at most'], ...rows])
for (const { server } of servers) await server.stop()
await rm(folder, { recursive: true, force: true })

/** Returns the processor time that a server takes for some work, in milliseconds. */
async function processorMs(server: BenchServer, work: () => Promise<void>): Promise<number> {
  const before = server.cpu()
  await work()
  return (server.cpu() - before) * 1000
}

/** Opens a conversation for files. */
async function withConversation(server: BenchServer) {
  const headers = { ...server.headers, 'content-type': 'application/json' }
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }] })
  const asked = await fetch(`${server.url}/api/v1/chat/completions`, { method: 'POST', headers, body })
  const { conversation_id: conversation } = (await asked.json()) as { conversation_id: string }
  const up = `/api/v1/conversations/${conversation}/attachments`
  return { server, up, down: async (id: string) => `${up}/${id}` }
}
