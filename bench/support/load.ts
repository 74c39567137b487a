import { setTimeout as wait } from 'node:timers/promises'
import { Pool } from 'undici'
import type { BenchServer } from './servers.ts'

/** The measurements of a burst of requests: requests a second, and sorted latencies in milliseconds. */
export interface Load {
  perSecond: number
  latencies: number[]
  firstBytes: number[]
  /** Processor time of the server, in milliseconds for each request. */
  cpu: number
}

export interface LoadOptions {
  method?: 'GET' | 'POST'
  path: string
  body?: string
  headers?: Record<string, string>
  /** Makes the body and headers of each request, where no two may be the same. */
  next?: () => { body: string; headers: Record<string, string> }
  connections: number
  seconds: number
  /** The time between two requests of a connection; without it, the next one follows each answer. */
  everyMs?: number | undefined
  /** The time over which the connections begin, so that they do not stay in step. */
  spreadMs?: number | undefined
}

/** Keeps a number of connections busy for some seconds; every answer must be a 200 and a stream must be whole. */
export async function load(server: BenchServer, options: LoadOptions): Promise<Load> {
  const pool = new Pool(server.url, { connections: options.connections, pipelining: 1 })
  const headers = { 'content-type': 'application/json', ...server.headers, ...options.headers }
  const own = () => {
    const given = options.next?.()
    if (given) return { body: given.body, headers: { ...headers, ...given.headers } }
    return { headers, ...(options.body === undefined ? {} : { body: options.body }) }
  }
  const latencies: number[] = []
  const firstBytes: number[] = []
  const ask = async () => {
    const started = performance.now()
    const {
      statusCode,
      headers: answered,
      body,
    } = await pool.request({
      method: options.method ?? 'POST',
      path: options.path,
      ...own(),
    })
    let first = 0
    let end = ''
    for await (const chunk of body) {
      first ||= performance.now() - started
      end = end.slice(-END.length) + chunk.toString('latin1', Math.max(0, chunk.length - END.length))
    }
    if (statusCode !== 200) throw new Error(`${server.name} answered ${statusCode}`)
    const isStream = String(answered['content-type']).startsWith('text/event-stream')
    if (isStream && !end.endsWith(END)) throw new Error(`${server.name} cut a stream short`)
    latencies.push(performance.now() - started)
    firstBytes.push(first)
  }
  const cpu = server.cpu()
  const started = performance.now()
  const until = started + options.seconds * 1000
  const { connections, everyMs = 0, spreadMs = everyMs } = options
  const work = async (_: unknown, index: number) => {
    let next = started + (spreadMs * index) / connections
    for (; next < until; next = Math.max(next + everyMs, performance.now())) {
      const early = next - performance.now()
      if (early > 0) await wait(early)
      await ask()
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
  const elapsed = (performance.now() - started) / 1000
  const count = latencies.length
  const used = ((server.cpu() - cpu) * 1000) / count
  await pool.close()
  const sort = (values: number[]) => values.sort((a, b) => a - b)
  return { perSecond: count / elapsed, latencies: sort(latencies), firstBytes: sort(firstBytes), cpu: used }
}

/** The end of every stream. */
const END = 'data: [DONE]\n\n'

/** Prints a table with aligned columns. */
export function printTable(rows: (string | number)[][]): void {
  const text = rows.map((row) =>
    row.map((cell) => (typeof cell === 'number' ? cell.toFixed(cell < 10 ? 2 : 0) : cell)),
  )
  const widths = (text[0] ?? []).map((_, column) => Math.max(...text.map((row) => row[column]?.length ?? 0)))
  for (const row of text) {
    process.stdout.write(`${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}\n`)
  }
}
