import { checkAddress } from '../http/check-address.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'

/**
 * Checks that the address in an evaluator's settings may be called. Most kinds of evaluators have none.
 * @throws ApiError invalid_request
 */
export async function checkWebhook(settings: object | undefined, outbound: Outbound): Promise<void> {
  const { url } = (settings ?? {}) as { url?: unknown }
  if (typeof url === 'string') await checkAddress(outbound, 'settings.url', url)
}
