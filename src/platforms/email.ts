import { checkReading, FoundMail, listenForMail } from './email/listen.ts'
import { openFile } from './email/read-file.ts'
import { readReceived, readSent } from './email/read-letter.ts'
import { checkSending, sendLetter } from './email/send-letter.ts'
import { type EmailSettings, emailSettings, isAllowed, isOwn, toAddress } from './email/settings.ts'
import { threadOfConversation } from './email/threads.ts'
import { MEGABYTE } from './outbound-file.ts'
import { InvalidWebhook, type Platform } from './platform.ts'
import { toEchoId, withTime } from './wire.ts'

/** E-mail: an account that is read by IMAP and writes by SMTP. */
export const email: Platform<EmailSettings, 'email'> = {
  kind: 'email',
  title: 'E-mail',
  number: 8,
  settings: emailSettings,
  secrets: ['imap.password', 'smtp.password', 'thread_key'],
  makes: ['thread_key'],
  webhookSecret: null,
  learns: [],
  hasHandshake: false,
  hasStatus: false,
  // Anybody can write any sender into a mail.
  knowsUsers: false,
  keyInAddress: null,
  connection: { listen: listenForMail },
  media: { find: openFile },
  mostAnswers: { inChat: 20, toPerson: 40 },
  replyWindowMs: null,
  personWindowMs: null,
  resends: false,
  addressee: {
    form: 'an e-mail address, such as anna@example.org',
    threadOf: toAddress,
    mustHaveWritten: false,
  },
  continues: {
    addressOf(text, settings) {
      const address = toAddress(text)
      return address === null || isOwn(address, settings) || !isAllowed(address, settings) ? null : address
    },
    threadOf: threadOfConversation,
  },
  textLimit: { length: 100_000, unit: 'utf16' },
  hasSubjects: true,
  textsAtOnce: 1,
  // Most servers take mails of up to 25 MB, in which the files are a third larger.
  attaches: { bytes: 18 * MEGABYTE },

  isSigned: () => false,

  servers: ({ imap, smtp }) =>
    Object.entries({ imap, smtp }).flatMap(([name, server]) =>
      server?.host ? [{ setting: `${name}.host`, url: `https://${inUrl(server.host)}` }] : [],
    ),

  read(body, settings) {
    if (!(body instanceof FoundMail)) throw new InvalidWebhook('the body is no mail')
    const { folder, letter, place, cameAt } = body
    const events = folder === 'sent' ? readSent(letter, settings) : readReceived(letter, settings, place)
    return withTime(events, cameAt)
  },

  async send(http, settings, message) {
    const id = await sendLetter(http, settings, message)
    return { echoId: toEchoId(id), reference: id }
  },

  async check(http, settings) {
    await checkReading(http, settings)
    await checkSending(http, settings)
    return { account: settings.address ?? null, settings: {} }
  },
}

function inUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}
