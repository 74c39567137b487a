import { Readable } from 'node:stream'
import type { Transporter } from 'nodemailer'
import { openTransport, sendMail } from '../../lib/mail-transport.ts'
import type { OutboundFile } from '../outbound-file.ts'
import { type OutboundTexts, PlatformError, type PlatformHttp } from '../platform.ts'
import { type Account, accountOn, mailError, tlsOf } from './servers.ts'
import type { EmailSettings } from './settings.ts'
import { ownMessageId, readThreadName } from './threads.ts'

/** The connections of a channel, for as long as its settings stay as they are. */
const pools = new WeakMap<EmailSettings, { address: string; transport: Transporter }>()

const TIMES = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 }

/** Sends a mail of the agent, or of a person. @returns its Message-ID @throws PlatformError */
export async function sendLetter(
  http: PlatformHttp,
  settings: EmailSettings,
  message: OutboundTexts,
): Promise<string> {
  const { address: from, name, signature } = settings
  if (!from) throw new PlatformError('refused', 'rejected', 'the channel has no address')
  const thread = readThreadName(settings, message.thread, message.to)
  const messageId = ownMessageId(settings, thread, message.retryKey)
  const references = message.answersTo?.split(' ').filter(Boolean) ?? []
  const transport = await transportOf(http, settings)
  const text = [...message.texts, signature ? `-- \n${signature}` : ''].filter(Boolean).join('\n\n')
  const files = (message.files ?? []).map(attachmentOf)
  const mail = {
    from: { name: name ?? '', address: from },
    to: thread.address,
    envelope: { from, to: [thread.address] },
    subject: subjectOf(message, name),
    messageId,
    ...(references.length > 0 ? { references, inReplyTo: references.at(-1) } : {}),
    headers: {
      'X-Parley': '1',
      'X-Auto-Response-Suppress': 'OOF, AutoReply',
      ...(message.byPerson ? {} : { 'Auto-Submitted': 'auto-replied' }),
      ...(message.stopUrl === undefined ? {} : stoppedAt(message.stopUrl)),
    },
    text,
    textEncoding: 'quoted-printable' as const,
    attachments: files,
  }
  await sendMail(transport, mail, (error, isWhole) =>
    files.some(({ content }) => content.errored !== null)
      ? new PlatformError('not_sent', 'unreachable', 'a file of the mail could not be read', { cause: error })
      : mailError(error, isWhole ? 'unknown' : 'not_sent'),
  )
  return messageId
}

/** Signs in without sending anything. @throws PlatformError */
export async function checkSending(http: PlatformHttp, settings: EmailSettings): Promise<void> {
  const transport = await openTransport(optionsOf(await accountOn(http, 'smtp', settings.smtp)))
  try {
    await transport.verify()
  } catch (error) {
    throw mailError(error, 'not_sent')
  } finally {
    transport.close()
  }
}

/** Returns the headers by which mail programs offer to stop such mail with one click (RFC 8058). */
function stoppedAt(url: string): Record<string, { prepared: true; value: string } | string> {
  return {
    // Folding could break the address in two.
    'List-Unsubscribe': { prepared: true, value: `<${url}>` },
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
}

function subjectOf({ subject, answersTo }: OutboundTexts, name: string | undefined): string {
  const about = (subject ?? '').replace(/\s+/gu, ' ').trim()
  const short = about.length <= 150 ? about : `${about.slice(0, 149).toWellFormed()}…`
  if (short === '') return name ? `Message from ${name}` : 'Message'
  // Mail programs write `Re:` in their own languages too, such as `AW:`: a subject that begins so gets no other one.
  return !answersTo || /^\p{L}{2,3}\s?[:：]/u.test(short) ? short : `Re: ${short}`
}

function attachmentOf({ name, type, content }: OutboundFile) {
  return {
    filename: name,
    contentType: type,
    contentDisposition: 'attachment' as const,
    contentTransferEncoding: 'base64' as const,
    content: Readable.from(content(), { objectMode: false }),
  }
}

async function transportOf(http: PlatformHttp, settings: EmailSettings): Promise<Transporter> {
  const known = pools.get(settings)
  // The name may lead to another address since then, which has to be judged.
  const account = await accountOn(http, 'smtp', settings.smtp)
  if (known?.address === account.address) return known.transport
  known?.transport.close()
  // The library sends nothing again of which anything went out. Idle connections would hold up the end of the process.
  const pool = { pool: true as const, maxConnections: 3, maxRequeues: 1, idleTimeout: 5000 }
  const transport = await openTransport({ ...optionsOf(account), ...pool })
  pools.set(settings, { address: account.address, transport })
  return transport
}

function optionsOf(account: Account) {
  return {
    host: account.address,
    port: account.port,
    secure: account.security === 'tls',
    requireTLS: account.security === 'starttls',
    ignoreTLS: account.security === 'none',
    auth: { user: account.user, pass: account.password },
    tls: tlsOf(account),
    ...TIMES,
  }
}
