import { invalidField } from '../errors.ts'
import { type Outbound, OutboundError } from '../lib/outbound/outbound.ts'

/**
 * Checks that an address may be called, before it is stored.
 * @param param the field that holds the address
 * @throws ApiError invalid_request
 */
export async function checkAddress(outbound: Outbound, param: string, address: string): Promise<void> {
  try {
    await outbound.checkTarget(address)
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    throw invalidField(param, `${error.message}.`)
  }
}
