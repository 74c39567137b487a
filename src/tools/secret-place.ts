import type { SealedPlace } from '../lib/secrets/sealed-places.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import type { ToolRow } from './tables.ts'

/** The place that a tool's headers are sealed for. They cannot be opened for any other place. */
function secretPlace(toolId: number): SealedPlace {
  return `tools|${toolId}|headers`
}

/** Headers of a tool, and the only origin that they are sent to. */
export interface SealedHeaders {
  origin: string
  headers: Record<string, string>
}

export function sealHeaders(box: SecretBox, toolId: number, sealed: SealedHeaders): string | null {
  if (Object.keys(sealed.headers).length === 0) return null
  return box.seal(JSON.stringify(sealed), secretPlace(toolId))
}

/** The headers of a tool; none when it has none. */
export function openHeaders(box: SecretBox, { id, headers }: Pick<ToolRow, 'id' | 'headers'>): SealedHeaders {
  if (headers === null) return { origin: '', headers: {} }
  return JSON.parse(box.open(headers, secretPlace(id))) as SealedHeaders
}

/** The headers that go to an address: none but to the origin that they were saved with. */
export function headersFor({ origin, headers }: SealedHeaders, url: URL): Record<string, string> {
  return url.origin === origin ? headers : {}
}

/** A text of a server without the secrets that it was sent, should it repeat them. */
export function withoutSecrets(text: string, { headers }: SealedHeaders): string {
  let clean = text
  for (const secret of Object.values(headers).flatMap(secretParts))
    clean = clean.replaceAll(secret, '[secret]').replaceAll(JSON.stringify(secret).slice(1, -1), '[secret]')
  return clean
}

const SHORTEST_SECRET = 6

/** A header's value, and behind a scheme such as `Bearer` the credential itself. */
function secretParts(value: string): string[] {
  const at = value.indexOf(' ')
  return [value, ...(at < 0 ? [] : [value.slice(at + 1)])].filter(({ length }) => length >= SHORTEST_SECRET)
}
