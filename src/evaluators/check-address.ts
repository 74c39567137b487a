import { ApiError } from '../errors.ts'
import { type Outbound, OutboundError } from '../lib/outbound/outbound.ts'

/**
 * Checks that the address of a webhook may be called, before it is kept.
 * @throws ApiError invalid_request
 */
export async function checkAddress(settings: object | undefined, outbound: Outbound): Promise<void> {
  const { url } = (settings ?? {}) as { url?: unknown }
  if (typeof url !== 'string') return
  try {
    await outbound.checkTarget(url)
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    throw new ApiError('invalid_request', {
      param: 'settings.url',
      message: `settings.url: ${error.message}.`,
    })
  }
}
