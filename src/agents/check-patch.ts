import { invalidField } from '../errors.ts'
import { checkAddress } from '../http/check-address.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import { checkCustomPattern, redactionTypes } from '../redaction/redactor.ts'
import type { AgentPatch } from './settings.ts'

/**
 * Checks rules that the schema of a patch cannot express: its addresses may be called, its redaction types exist, and
 * its patterns cannot be made slow.
 * @throws ApiError invalid_request that names the field
 */
export async function checkAgentPatch(patch: AgentPatch, outbound: Outbound): Promise<void> {
  const known = new Set(redactionTypes.map(({ type }) => type))
  const unknown = patch.redaction_types?.find((type) => !known.has(type))
  if (unknown !== undefined)
    throw invalidField('redaction_types', 'there is no such type; the documentation lists them.')
  for (const [index, pattern] of patch.redaction_patterns?.entries() ?? []) {
    try {
      checkCustomPattern(pattern)
    } catch (error) {
      const why = (error as Error).message.replace(/\.$/, '')
      throw invalidField(`redaction_patterns.${index}`, `${why}.`)
    }
  }
  for (const [param, url] of [
    ['model.url', patch.model?.url],
    ...(patch.model?.fallbacks ?? []).map(({ url }, at) => [`model.fallbacks.${at}.url`, url] as const),
    ['embedding.url', patch.embedding?.url],
    ['redaction.url', patch.redaction?.url],
  ] as const) {
    if (url) await checkAddress(outbound, param, url)
  }
}
