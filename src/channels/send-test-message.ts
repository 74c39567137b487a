import { randomUUID } from 'node:crypto'
import type { Outbound } from '../lib/outbound/outbound.ts'
import { type DeliveryReason, PlatformError } from '../platforms/platform.ts'
import { type Channel, webhookUrl } from './channel.ts'

interface SentTestMessage {
  sent: boolean
  /** The reason why it was not delivered, or may not have been. */
  reason: DeliveryReason | null
  /** The platform's status; null when it gave none. */
  status: number | null
}

/** Sends a text through a channel, once and outside of any conversation. Nothing is stored. */
export async function sendTestMessage(
  { outbound, baseUrl }: { outbound: Outbound; baseUrl: () => string },
  channel: Channel,
  { to, text }: { to: string; text: string },
): Promise<SentTestMessage> {
  const { platform, settings, teamId } = channel
  const message = {
    thread: to,
    texts: [text],
    replyToken: null,
    retryKey: randomUUID(),
    byPerson: false,
    webhookUrl: webhookUrl(baseUrl(), channel),
  } as const
  try {
    await platform.send(outbound.of(teamId), settings, message)
    return { sent: true, reason: null, status: null }
  } catch (error) {
    if (!(error instanceof PlatformError)) throw error
    return { sent: false, reason: error.reason, status: error.status }
  }
}
