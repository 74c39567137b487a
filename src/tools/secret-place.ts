import type { SentPlace } from '../lib/secrets/sealed-places.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import type { ToolRow } from './tables.ts'

/** The place that a tool's headers are sealed for. They cannot be opened for any other place. */
function secretPlace(toolId: number): SentPlace {
  return `tools|${toolId}|headers`
}

/** Headers of a tool, as they are sent to the origin that they were saved with. */
export type ToolHeaders = Record<string, string>

export function sealHeaders(
  box: SecretBox,
  toolId: number,
  url: string,
  headers: ToolHeaders,
): string | null {
  if (Object.keys(headers).length === 0) return null
  return box.sealFor(url, JSON.stringify({ headers }), secretPlace(toolId))
}

/** Opens the headers of a tool for its address, or for another one; none when they belong to another origin. */
export function openHeaders(
  box: SecretBox,
  { id, headers, settings }: Pick<ToolRow, 'id' | 'headers' | 'settings'>,
  url = (JSON.parse(settings) as { url: string }).url,
): ToolHeaders {
  const opened = headers === null ? null : box.openFor(url, headers, secretPlace(id))
  return opened === null ? {} : (JSON.parse(opened) as { headers: ToolHeaders }).headers
}

/** Removes from a server's text the secrets that it was sent, in case it repeats them. */
export function withoutSecrets(text: string, headers: ToolHeaders): string {
  let clean = text
  for (const secret of Object.values(headers).flatMap(secretParts))
    clean = clean.replaceAll(secret, '[secret]').replaceAll(JSON.stringify(secret).slice(1, -1), '[secret]')
  return clean
}

const SHORTEST_SECRET = 6

/** Lists a header's value and, if the value has a scheme such as `Bearer`, the credential behind it. */
function secretParts(value: string): string[] {
  const at = value.indexOf(' ')
  return [value, ...(at < 0 ? [] : [value.slice(at + 1)])].filter(({ length }) => length >= SHORTEST_SECRET)
}
