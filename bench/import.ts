// How long does it take to import a web site of a thousand pages and a PDF of 500 pages, and how long does another
// request wait meanwhile? A prober asks for the agent again and again; it also runs without an import, for comparison.
// PAGES sets another size of both.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { makePdf } from '../test/support/made-files.ts'
import { quantile } from '../test/support/quantile.ts'
import { printTable } from './support/load.ts'
import { type BenchServer, startParley } from './support/servers.ts'

const PAGES = process.env.PAGES ? Number(process.env.PAGES) : null
const SITE_PAGES = PAGES ?? 1000
const PDF_PAGES = PAGES ?? 500
const PROBE_EVERY_MS = 5
const LINKS = 10

/** Makes a sentence. A page has some 400 words, out of a vocabulary of a few thousand. */
const sentence = (seed: number) =>
  Array.from({ length: 12 }, (_, at) => `word${(seed * 7919 + at * 104729) % 4001}`).join(' ')
const paragraphs = (page: number) =>
  Array.from({ length: 8 }, (_, part) =>
    Array.from({ length: 4 }, (_, at) => `${sentence(page * 97 + part * 13 + at)}.`).join(' '),
  )

const site = createServer((request, response) => {
  const page = Number(/^\/page-(\d+)$/.exec(request.url ?? '')?.[1] ?? (request.url === '/' ? 0 : Number.NaN))
  if (!(page < SITE_PAGES)) return response.writeHead(404).end()
  const next = Array.from({ length: LINKS }, (_, at) => page * LINKS + at + 1).filter(
    (one) => one < SITE_PAGES,
  )
  const menu = next.map((one) => `<a href="/page-${one}">Page ${one}</a>`).join(' ')
  const text = paragraphs(page).map((paragraph, at) => `<h2>Part ${at}</h2><p>${paragraph}</p>`)
  const html = `<!doctype html><title>Page ${page}</title><nav>${menu}</nav><main><h1>Page ${page}</h1>${text.join('')}</main>`
  return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)
})
site.listen(0, '127.0.0.1')
await wait(50)
const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}`

const parley = await startParley({ PARLEY_PRIVATE_TARGETS: '127.0.0.1' })
const rows: (string | number)[][] = []
await measure(parley, 'nothing', () => wait(5000))
await measure(parley, `site of ${SITE_PAGES} pages`, async () => {
  const { data } = await ask(parley, 'POST', '/knowledge/imports', { url: `${address}/`, limit: SITE_PAGES })
  for (;;) {
    const { data: now } = await ask(parley, 'GET', `/knowledge/imports/${data.id}`)
    if (['done', 'failed'].includes(String(now.status))) {
      if (now.counts.added !== SITE_PAGES) throw new Error(JSON.stringify(now))
      return
    }
    await wait(100)
  }
})
const lines = (page: number) =>
  paragraphs(page).flatMap((paragraph, part) =>
    (paragraph.match(/.{1,90}(?: |$)/g) ?? []).map((text, at) => ({ y: 800 - part * 90 - at * 13, text })),
  )
const pdf = makePdf(Array.from({ length: PDF_PAGES }, (_, page) => lines(page)))
await measure(parley, `PDF of ${PDF_PAGES} pages, ${(pdf.length / 1e6).toFixed(1)} MB`, async () => {
  const form = new FormData()
  form.append('file', new Blob([pdf], { type: 'application/pdf' }), 'manual.pdf')
  const answer = await fetch(`${parley.url}/api/v1/knowledge/files`, {
    method: 'POST',
    headers: parley.headers,
    body: form,
  })
  const text = await answer.text()
  if (!answer.ok || !text.includes('"added"')) throw new Error(text)
})
printTable([
  ['while it imports', 'seconds', 'processor s', 'wait p50 ms', 'p99', 'longest', 'resident MiB'],
  ...rows,
])
await parley.stop()
site.close()

async function measure(parley: BenchServer, title: string, work: () => Promise<unknown>): Promise<void> {
  const waits: number[] = []
  const stop = new AbortController()
  const probing = probe(parley, waits, stop.signal)
  const begun = performance.now()
  const cpu = parley.cpu()
  await work()
  const seconds = (performance.now() - begun) / 1000
  const used = parley.cpu() - cpu
  stop.abort()
  await probing
  waits.sort((a, b) => a - b)
  rows.push([
    title,
    seconds,
    used,
    quantile(waits, 0.5),
    quantile(waits, 0.99),
    waits.at(-1) ?? 0,
    parley.memory(),
  ])
}

/** Sends requests one after the other until it is aborted. */
async function probe({ url, headers }: BenchServer, waits: number[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const begun = performance.now()
    const answer = await fetch(`${url}/api/v1/agent`, { headers })
    await answer.text()
    if (answer.status !== 200) throw new Error(`${answer.status}`)
    waits.push(performance.now() - begun)
    await wait(PROBE_EVERY_MS)
  }
}

async function ask({ url, headers }: BenchServer, method: string, path: string, body?: unknown) {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const json = (await answer.json()) as {
    data: { id: number; status: string; counts: Record<string, number> }
  }
  if (!answer.ok) throw new Error(JSON.stringify(json))
  return json
}
