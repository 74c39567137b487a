import { createHmac } from 'node:crypto'
import { equalInConstantTime } from '../../lib/secrets/constant-time.ts'

/** The parts of a link with which anyone who has it stops the mail of one chat. */
interface StopLink {
  agentId: number
  mailboxId: number
  signature: string
}

/** Links that stop mail without signing in. They never expire: a mail may be read years later. */
export interface StopLinks {
  linkTo(chat: Omit<StopLink, 'signature'>): string
  /** Tells whether a link was made here. */
  isValid(link: StopLink): boolean
}

/** @param baseUrl returns the public address of the API; ends in /api/v1 */
export function createStopLinks(key: string, baseUrl: () => string): StopLinks {
  const sign = ({ agentId, mailboxId }: Omit<StopLink, 'signature'>) =>
    createHmac('sha256', key).update(`${agentId}/${mailboxId}`).digest('base64url')
  return {
    linkTo: (chat) => `${baseUrl()}/mail/${chat.agentId}/${chat.mailboxId}?signature=${sign(chat)}`,
    isValid: ({ signature, ...chat }) => equalInConstantTime(signature, sign(chat)),
  }
}
