import { createHmac } from 'node:crypto'
import { equalInConstantTime } from '../../lib/secrets/constant-time.ts'

/** Links that stop the mails with notices to a person. They never expire: a mail may be read years later. */
export interface NoticeStopLinks {
  linkTo(operatorId: number): string
  /** Tells whether a link was made here. */
  isValid(link: { operatorId: number; signature: string }): boolean
}

/** @param baseUrl returns the public address of the API; ends in /api/v1 */
export function createNoticeStopLinks(key: string, baseUrl: () => string): NoticeStopLinks {
  const sign = (operatorId: number) =>
    createHmac('sha256', key).update(String(operatorId)).digest('base64url')
  return {
    linkTo: (operatorId) => `${baseUrl()}/notice-mails/${operatorId}?signature=${sign(operatorId)}`,
    isValid: ({ operatorId, signature }) => equalInConstantTime(signature, sign(operatorId)),
  }
}
