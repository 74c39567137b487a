import type { ModelKind } from '../lib/model-kinds.ts'
import type { TeamHttp } from '../lib/outbound/outbound.ts'
import { askModelServer, type ModelServer } from './ask-model-server.ts'
import { ModelError } from './model.ts'

/** The longest wait for a server that is asked in another protocol. */
const WAIT_MS = 10_000
/** Answers of a server that does not understand what it was asked, or finds no key where it looks for one. */
const NOT_UNDERSTOOD = new Set([400, 401, 403, 404, 405, 415, 422])

/** The protocols that differ in more than their headers. */
const DISTINCT: readonly ModelKind[] = ['openai', 'anthropic', 'gemini']

/**
 * Finds out whether a server that failed speaks another protocol than it was asked in: by its address, otherwise by
 * asking. The key stays with its origin.
 * @returns null if it does not, or nobody knows
 */
export async function otherKindOf(
  server: ModelServer,
  { reason, status }: ModelError,
  http: TeamHttp,
): Promise<ModelKind | null> {
  const isForeign = reason === 'protocol' || (reason === 'status' && NOT_UNDERSTOOD.has(status ?? 0))
  if (!isForeign) return null
  const known = kindOfAddress(server.url)
  if (known) return known === server.kind ? null : known
  for (const kind of DISTINCT.filter((one) => one !== server.kind))
    if (await answersAs({ ...server, kind }, http)) return kind
  return null
}

async function answersAs(server: ModelServer, http: TeamHttp): Promise<boolean> {
  try {
    await askModelServer(server, http, WAIT_MS)
    return true
  } catch (error) {
    if (error instanceof ModelError || (error as Error).name === 'AbortError') return false
    throw error
  }
}

/** The protocol of a provider whose address is well known. */
function kindOfAddress(url: string): ModelKind | null {
  const { hostname = '', pathname = '' } = URL.parse(url) ?? {}
  if (hostname === 'api.openai.com') return 'openai'
  if (hostname === 'api.anthropic.com' || /\/anthropic(?:\/|$)/.test(pathname)) return 'anthropic'
  if (hostname === 'generativelanguage.googleapis.com')
    return pathname.includes('/openai') ? 'openai' : 'gemini'
  return /\.(?:openai|services\.ai|cognitiveservices)\.azure\.com$/.test(hostname) ? 'azure' : null
}
