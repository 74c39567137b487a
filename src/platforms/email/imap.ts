import type { ImapFlow } from 'imapflow'
import type { PlatformHttp } from '../platform.ts'
import { accountOn, mailError, tlsOf } from './servers.ts'
import type { EmailSettings } from './settings.ts'

/** The longest time between two looks: some servers tell of new mail late, or not at all. */
export const LOOK_AGAIN_MS = 60_000
const PIECE_BYTES = 256 * 1024
/** Some servers send a whole mail when they are asked for a piece of it. */
const LONGEST_ANSWER = 4 * 1024 * 1024

/** Signs in. @throws PlatformError */
export async function openAccount(http: PlatformHttp, settings: EmailSettings): Promise<ImapFlow> {
  const account = await accountOn(http, 'imap', settings.imap)
  const { ImapFlow } = await import('imapflow')
  const client = new ImapFlow({
    host: account.address,
    port: account.port,
    secure: account.security === 'tls',
    doSTARTTLS: account.security === 'starttls',
    auth: { user: account.user, pass: account.password },
    tls: tlsOf(account),
    logger: false,
    disableAutoIdle: true,
    disableCompression: true,
    clientInfo: { name: 'Parley' },
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 2 * LOOK_AGAIN_MS,
    maxLineLength: 1024 * 1024,
    maxLiteralSize: LONGEST_ANSWER,
    maxResponseSize: 2 * LONGEST_ANSWER,
  })
  // Failures reject the command under way as well.
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch (error) {
    client.close()
    throw mailError(error, 'not_sent')
  }
}

/** The first bytes of a mail or of a part of it, with the time at which the server got the mail. */
interface Beginning {
  bytes: Buffer
  cameAt: Date
  /** Yields all bytes, these first. @throws PlatformError */
  all(): AsyncGenerator<Buffer>
}

/**
 * Begins to read a mail of the open folder, or a part of it, a piece at a time.
 * @param part its number (RFC 9051, section 6.4.5.1); null: the whole mail
 * @returns null when the mail is gone, or has no such part
 * @throws PlatformError
 */
export async function openMail(
  client: ImapFlow,
  uid: number,
  part: string | null,
): Promise<Beginning | null> {
  const first = await pieceAt(client, uid, part, 0)
  if (first === null) return null
  const { bytes } = first
  return {
    ...first,
    async *all() {
      yield bytes
      // A server that sends more than it was asked for has sent everything.
      for (let piece = bytes, at = 0; piece.length === PIECE_BYTES; ) {
        at += piece.length
        piece = (await pieceAt(client, uid, part, at))?.bytes ?? Buffer.alloc(0)
        if (piece.length > 0) yield piece
      }
    },
  }
}

async function pieceAt(
  client: ImapFlow,
  uid: number,
  part: string | null,
  start: number,
): Promise<Omit<Beginning, 'all'> | null> {
  const range = { start, maxLength: PIECE_BYTES }
  const what = part === null ? { source: range } : { bodyParts: [{ key: part, ...range }] }
  try {
    const query = { uid: true, internalDate: true, ...what }
    const mail = await client.fetchOne(String(uid), query, { uid: true })
    if (mail === false) return null
    const bytes = part === null ? mail.source : mail.bodyParts?.get(part.toLowerCase())
    return bytes ? { bytes, cameAt: new Date(mail.internalDate ?? Number.NaN) } : null
  } catch (error) {
    throw mailError(error, 'not_sent')
  }
}
