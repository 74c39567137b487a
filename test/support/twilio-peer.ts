import { createHmac } from 'node:crypto'

/** The settings of a channel of SMS. */
export const TWILIO = {
  account_sid: `AC${'0'.repeat(31)}1`,
  auth_token: 'auth-token-of-twilio-12345',
  from: '+15550100',
} as const

/** Returns the header of Twilio's webhooks, over the address that is called and the sorted values of the form. */
export function signTwilio(raw: string, authToken: string, url: string): Record<string, string> {
  const values = [...new URLSearchParams(raw)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const signed = `${url}${values.map(([name, value]) => `${name}${value}`).join('')}`
  return { 'x-twilio-signature': createHmac('sha1', authToken).update(signed).digest('base64') }
}

/** Returns the form of a text message. */
export function twilioMessage(from: string, id: string, text: string) {
  return {
    ToCountry: 'US',
    MessageSid: `SM${id}`,
    SmsSid: `SM${id}`,
    AccountSid: TWILIO.account_sid,
    From: from,
    To: TWILIO.from,
    Body: text,
    NumMedia: '0',
    NumSegments: '1',
    SmsStatus: 'received',
    ApiVersion: '2010-04-01',
  }
}

/** Returns the form in which the platform reports what became of a message that was sent. */
export function twilioStatus(to: string, sid: string, MessageStatus: string, more: object = {}) {
  return {
    MessageSid: sid,
    SmsSid: sid,
    MessageStatus,
    SmsStatus: MessageStatus,
    AccountSid: TWILIO.account_sid,
    To: to,
    From: TWILIO.from,
    ApiVersion: '2010-04-01',
    ...more,
  }
}
