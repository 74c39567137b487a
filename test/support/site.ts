import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { TestAgent } from './app.ts'
import { type Peer, type PeerRequest, startPeer } from './peer.ts'

/** A page: its HTML, or a function that answers the request. */
export type SitePage = string | ((response: ServerResponse, request: PeerRequest) => void)

/** A web site on loopback. Paths without a page are answered with 404. */
interface Site extends Peer {
  /** Pages by path with query; they may be changed while it runs. */
  pages: Record<string, SitePage>
  /** The requested paths, without robots.txt. */
  readonly asked: string[]
}

export async function startSite(pages: Record<string, SitePage>): Promise<Site> {
  const peer = await startPeer((response, request) => {
    const page = site.pages[request.path]
    if (typeof page === 'function') return page(response, request)
    if (page === undefined) response.writeHead(404, { 'content-type': 'text/html' }).end('gone')
    else response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
  })
  const site: Site = {
    pages,
    url: peer.url,
    port: peer.port,
    requests: peer.requests,
    get connections() {
      return peer.connections
    },
    get asked() {
      return peer.requests.map(({ path }) => path).filter((path) => path !== '/robots.txt')
    },
    close: peer.close,
    [Symbol.asyncDispose]: peer.close,
  }
  return site
}

/** Returns a page with a text, and links to others. */
export function sitePage(title: string, text: string, links: readonly string[] = []): string {
  const menu = links.map((link) => `<a href="${link}">${link}</a>`).join(' ')
  return `<!doctype html><title>${title} | Shop</title><nav>${menu}</nav><main><h1>${title}</h1><p>${text}</p></main>`
}

interface ImportAnswer {
  id: number
  status: string
  error: string | null
  stopped_by: string | null
  progress: { found: number; done: number }
  counts: Record<'added' | 'replaced' | 'unchanged' | 'removed' | 'skipped', number>
  next_at: string | null
}

/** Waits until an import has ended, and returns the results of its pages. */
export async function endOfImport(agent: TestAgent, id: number, origin = '') {
  const deadline = Date.now() + 60_000
  for (;;) {
    const { status, body } = await agent.get(`/knowledge/imports/${id}`)
    assert.equal(status, 200, JSON.stringify(body))
    const found: ImportAnswer = body.data
    if (found.status === 'done' || found.status === 'failed') {
      const { body } = await agent.get(`/knowledge/imports/${id}/pages?per_page=100`)
      const rows: { url: string; outcome: string; reason: string | null; document_id: number | null }[] =
        body.data
      const pages = Object.fromEntries(
        rows.map(({ url, outcome, reason }) => [
          url.replace(origin, ''),
          reason === null ? outcome : `${outcome}: ${reason.replaceAll(origin, '')}`,
        ]),
      )
      return { ...found, pages, rows }
    }
    assert.ok(Date.now() < deadline, `the import has not ended: ${JSON.stringify(found)}`)
    await wait(50)
  }
}
