import { ApiError } from '../errors.ts'
import { type Outbound, OutboundError } from '../lib/outbound/outbound.ts'
import { checkCustomPattern, redactionTypes } from '../redaction/redactor.ts'
import type { AgentPatch } from './settings.ts'

/**
 * Checks what the form of a patch does not tell: that its addresses may be called, its redaction types exist and
 * its patterns cannot be made slow.
 * @throws ApiError invalid_request that names the field
 */
export async function checkAgentPatch(patch: AgentPatch, outbound: Outbound): Promise<void> {
  const known = new Set(redactionTypes.map(({ type }) => type))
  const unknown = patch.redaction_types?.find((type) => !known.has(type))
  if (unknown !== undefined) refuse('redaction_types', 'there is no such type; the documentation lists them')
  for (const [index, pattern] of patch.redaction_patterns?.entries() ?? []) {
    try {
      checkCustomPattern(pattern)
    } catch (error) {
      refuse(`redaction_patterns.${index}`, (error as Error).message)
    }
  }
  for (const [param, url] of [
    ['model.url', patch.model?.url],
    ['redaction.url', patch.redaction?.url],
  ] as const) {
    if (!url) continue
    try {
      await outbound.checkTarget(url)
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      refuse(param, error.message)
    }
  }
}

function refuse(param: string, why: string): never {
  throw new ApiError('invalid_request', { param, message: `${param}: ${why.replace(/\.$/, '')}.` })
}
