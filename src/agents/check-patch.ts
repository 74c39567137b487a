import { ApiError } from '../errors.ts'
import { type Outbound, OutboundError } from '../lib/outbound/outbound.ts'
import type { AgentPatch } from './settings.ts'

/**
 * Checks what the form of a patch does not tell: that its addresses may be called.
 * @throws ApiError invalid_request that names the field
 */
export async function checkAgentPatch(patch: AgentPatch, outbound: Outbound): Promise<void> {
  for (const [param, url] of [
    ['model.url', patch.model?.url],
    ['redaction.url', patch.redaction?.url],
  ] as const) {
    if (!url) continue
    try {
      await outbound.checkTarget(url)
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      throw new ApiError('invalid_request', { param, message: `${param}: ${error.message}.` })
    }
  }
}
