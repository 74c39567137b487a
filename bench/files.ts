// What does a file cost: 25 MiB in and out, in the database (SQLite) and in a store, beside a bare server that writes to a
// folder? How much memory does it take, and does that depend on the size (MEBIBYTES)? What does one picture add to a
// message?
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { median } from '../test/support/quantile.ts'
import { startS3Peer } from '../test/support/s3-peer.ts'
import { printTable } from './support/load.ts'
import { type BenchServer, freePort, startParley, startServer } from './support/servers.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 8)
const MEBIBYTES = Number(process.env.MEBIBYTES ?? 25)
const bytes = new Uint8Array(MEBIBYTES * 1024 * 1024)

const folder = await mkdtemp(join(tmpdir(), 'parley-bench-files-'))
await using store = await startS3Peer()
const port = await freePort()
const bare = await startServer('bare', ['bench/support/bare-files.ts', `${port}`, folder], port)
const limit = { PARLEY_FILE_LIMIT: String(bytes.length) }
const inDatabase = { ...(await startParley(limit)), name: 'parley, SQLite' }
const inStore = { ...(await startParley({ ...limit, ...store.settings })), name: 'parley, store' }
const servers = [
  { server: bare, up: '/files', down: async () => '/files' },
  await withConversation(inDatabase),
  await withConversation(inStore),
]
const rows: string[][] = []
for (const { server, up, down } of servers) {
  const before = server.memory()
  const [ins, outs]: [Cost[], Cost[]] = [[], []]
  let highest = before
  const watching = setInterval(() => {
    highest = Math.max(highest, server.memory())
  }, 20)
  for (let round = 0; round <= ROUNDS; round++) {
    let id = ''
    const up1 = await costOf(server, async () => {
      id = await upload(server, up, bytes, 'a.bin')
    })
    const path = await down(id)
    const down1 = await costOf(server, async () => {
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
    ...[ins, outs].flatMap((costs) => [
      median(costs.map(({ processorMs }) => processorMs)).toFixed(0),
      ((MEBIBYTES * 1000) / median(costs.map(({ ms }) => ms))).toFixed(0),
    ]),
    before.toFixed(0),
    highest.toFixed(0),
  ])
}
const columns = ['ms in', 'MiB/s in', 'ms out', 'MiB/s out', 'MiB before', 'MiB at most']
printTable([['server', ...columns], ...rows])
await benchPictures()
for (const { server } of servers) await server.stop()
await rm(folder, { recursive: true, force: true })

interface Cost {
  /** The processor time of the server. */
  processorMs: number
  ms: number
}

/** Returns what some work costs a server. */
async function costOf(server: BenchServer, work: () => Promise<void>): Promise<Cost> {
  const [before, began] = [server.cpu(), performance.now()]
  await work()
  return { processorMs: (server.cpu() - before) * 1000, ms: performance.now() - began }
}

/** Compares prompts with and without a picture, and the making of a picture anew for an answer, by turns. */
async function benchPictures(): Promise<void> {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const
  const picture = await sharp({
    create: { width: 1280, height: 960, channels: 3, background: '#808080', noise },
  })
    .jpeg({ quality: 70 })
    .toBuffer()
  const url = `data:image/jpeg;base64,${picture.toString('base64')}`
  const text = { type: 'text', text: 'What is this?' }
  const { up } = await withConversation(inDatabase)
  const works: [string, () => Promise<unknown>][] = [
    ['a prompt', () => say(inDatabase, [text])],
    ['a prompt with it', () => say(inDatabase, [text, { type: 'image_url', image_url: { url } }])],
    ['its upload for an answer', () => upload(inDatabase, up, Uint8Array.from(picture), 'a.jpg')],
  ]
  const costs = works.map((): number[] => [])
  for (let round = 0; round <= ROUNDS; round++)
    for (const [at, [, work]] of works.entries()) {
      const { processorMs } = await costOf(inDatabase, async () => {
        for (let n = 0; n < 10; n++) await work()
      })
      if (round > 0) costs[at]?.push(processorMs / 10)
    }
  printTable([
    [`a picture of ${Math.round(picture.length / 1024)} KiB`, 'processor ms'],
    ...works.map(([name], at) => [name, median(costs[at] ?? []).toFixed(1)]),
  ])
}

/** Opens a conversation for files. */
async function withConversation(server: BenchServer) {
  const up = `/api/v1/conversations/${await say(server, 'Hello')}/attachments`
  return { server, up, down: async (id: string) => `${up}/${id}` }
}

/** Has the agent answer a message in a new conversation. Returns the conversation's id. */
async function say(server: BenchServer, content: unknown): Promise<string> {
  const headers = { ...server.headers, 'content-type': 'application/json' }
  const body = JSON.stringify({ messages: [{ role: 'user', content }] })
  const answer = await fetch(`${server.url}/api/v1/chat/completions`, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(await answer.text())
  return ((await answer.json()) as { conversation_id: string }).conversation_id
}

/** Uploads a file. Returns its id; empty where the server gives none. */
async function upload(
  server: BenchServer,
  path: string,
  content: Uint8Array<ArrayBuffer>,
  name: string,
): Promise<string> {
  const body = new FormData()
  body.append('file', new Blob([content]), name)
  const answer = await fetch(server.url + path, { method: 'POST', headers: server.headers, body })
  if (!answer.ok) throw new Error(await answer.text())
  return ((await answer.json()) as { data?: { id: string } }).data?.id ?? ''
}
