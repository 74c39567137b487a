import type { TeamHttp } from '../../lib/outbound/outbound.ts'
import type { Team } from '../../lib/pacing/turns-by-team.ts'
import { readSitemapAside } from '../documents/prepare-aside.ts'
import { because } from '../reasons.ts'
import { fetchFile } from './fetch-page.ts'

const MOST_SITEMAPS = 50
const MOST_PAGES = 50_000
const DEEPEST = 2

/** Reads a sitemap, and the sitemaps that it lists. @returns the addresses, or why it could not be read */
export async function readSitemaps(
  team: Team,
  http: TeamHttp,
  start: string,
  mayFollow: (address: string) => string | null,
  signal: AbortSignal,
): Promise<{ pages: string[]; isWhole: boolean } | { refused: string }> {
  const pages = new Set<string>()
  const queue = [{ address: start, depth: 0 }]
  const seen = new Set([start])
  let isWhole = true
  for (const { address, depth } of queue) {
    const text = await textOf(address)
    if ('refused' in text) {
      if (address === start) return { refused: because('no_sitemap', { reason: text.refused }) }
      isWhole = false
      continue
    }
    const read = await readSitemapAside(team, text.text)
    // It is an error page in place of a list, or too large to be read.
    if (read.pages.length === 0 && read.sitemaps.length === 0) isWhole = false
    for (const page of read.pages) if (pages.size < MOST_PAGES) pages.add(page)
    for (const next of read.sitemaps) {
      if (seen.has(next)) continue
      seen.add(next)
      const isTaken = depth < DEEPEST && queue.length < MOST_SITEMAPS && mayFollow(next) === null
      if (isTaken) queue.push({ address: next, depth: depth + 1 })
      else isWhole = false
    }
    if (pages.size === MOST_PAGES) isWhole = false
  }
  if (pages.size === 0) return { refused: because('empty_sitemap') }
  return { pages: [...pages], isWhole }

  async function textOf(address: string): Promise<{ text: string } | { refused: string }> {
    const answer = await fetchFile(http, address, mayFollow, signal)
    if (answer.kind === 'read') return { text: answer.bytes.toString('utf8') }
    return { refused: answer.kind === 'moved' ? because('redirects') : answer.reason }
  }
}
