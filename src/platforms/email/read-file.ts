import { Readable } from 'node:stream'
import type { ImapFlow } from 'imapflow'
import { z } from 'zod'
import { type Media, MediaRefused, type OpenedMedia } from '../media.ts'
import { PlatformError, type PlatformHttp } from '../platform.ts'
import { openAccount, openMail } from './imap.ts'
import type { Letter } from './letter.ts'
import type { MailPlace } from './listen.ts'
import { mailError } from './servers.ts'
import type { EmailSettings } from './settings.ts'

/** The place of a file in the account. */
const sourceSchema = z.object({
  validity: z.string(),
  uid: z.number(),
  /** The id of its mail, by which it is found when the server has numbered the mails anew; null: it has none. */
  id: z.string().nullable(),
  part: z.string(),
  encoding: z.string(),
})

type FileSource = z.output<typeof sourceSchema>

const LONGEST_MS = 120_000
const IDLE_MS = 5000

/** Returns the files of a mail. Their bytes stay in the account until they are fetched. */
export function mediaIn({ id, hasId, files }: Letter, { validity, uid }: MailPlace): Media[] {
  return files.map(({ kind, name, part, encoding, inText }) => {
    const source: FileSource = { validity, uid, id: hasId ? id : null, part, encoding }
    return { kind, name, source: JSON.stringify(source), ...(inText === null ? {} : { inText }) }
  })
}

/** Returns the bytes of a file of a mail. */
export function openFile(
  http: PlatformHttp,
  settings: EmailSettings,
  source: string,
  signal: AbortSignal,
): OpenedMedia {
  const place = sourceSchema.parse(JSON.parse(source))
  return { bytes: exceptOutlook(readFile(http, settings, place, signal)) }
}

/** The first bytes of a `winmail.dat` (MS-OXTNEF, section 2.1.3.1). */
const TNEF = Buffer.from([0x78, 0x9f, 0x3e, 0x22])

/** Refuses the files of a mail that are packed as only Outlook unpacks them. */
async function* exceptOutlook(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let first = Buffer.alloc(0)
  for await (const chunk of bytes) {
    if (first.length < TNEF.length) {
      first = Buffer.concat([first, chunk.subarray(0, TNEF.length)])
      if (first.subarray(0, TNEF.length).equals(TNEF)) throw new MediaRefused('outlook_only')
    }
    yield chunk
  }
}

async function* readFile(
  http: PlatformHttp,
  settings: EmailSettings,
  { validity, uid, id, part, encoding }: FileSource,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  using account = await takeAccount(http, settings, signal)
  const { client } = account
  try {
    const { uidValidity } = await client.mailboxOpen('INBOX', { readOnly: true })
    const present = String(uidValidity) === validity ? uid : await numberOf(client, id)
    const found = present === undefined ? null : await openMail(client, present, part)
    if (found === null) throw new PlatformError('refused', 'rejected', 'the mail is no longer in the account')
    yield* decoded(found.all(), encoding)
    account.isIdle = true
  } catch (error) {
    throw mailError(error, 'not_sent')
  }
}

/** Finds a mail in a folder whose mails have other numbers now. */
async function numberOf(client: ImapFlow, id: string | null): Promise<number | undefined> {
  if (id === null) return
  return ((await client.search({ header: { 'message-id': id } }, { uid: true })) || []).at(-1)
}

async function* decoded(bytes: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<Uint8Array> {
  if (encoding !== 'base64' && encoding !== 'quoted-printable') return yield* bytes
  const { MimeNode } = await import('@zone-eu/mailsplit')
  const node = new MimeNode(false)
  node.addHeaderChunk(Buffer.from(`Content-Transfer-Encoding: ${encoding}\r\n`))
  const decoder = node.getDecoder()
  const source = Readable.from(bytes)
  source.on('error', (error) => decoder.destroy(error))
  source.pipe(decoder)
  try {
    yield* decoder
  } finally {
    source.destroy()
  }
}

/** The connections that read files, one for each channel at a time: providers allow few for an account. */
const accounts = new WeakMap<EmailSettings, Promise<ImapFlow | null>>()

/** Waits for something, but no longer than until a signal fires. @throws the reason of the signal */
async function untilAborted<T>(work: Promise<T> | undefined, signal: AbortSignal): Promise<T | undefined> {
  signal.throwIfAborted()
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** Takes the connection once nobody else reads with it. It stays open for a while for those who come next. */
async function takeAccount(http: PlatformHttp, settings: EmailSettings, signal: AbortSignal) {
  const before = accounts.get(settings)
  const { promise, resolve } = Promise.withResolvers<ImapFlow | null>()
  accounts.set(settings, promise)
  const known = await untilAborted(before, signal).catch((error) => {
    // The next one waits for the same.
    Promise.resolve(before).then((client) => resolve(client ?? null))
    throw error
  })
  const client = known?.usable ? known : await open()
  const limit = AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)])
  const end = () => client.close()
  limit.addEventListener('abort', end, { once: true })
  return {
    client,
    /** True when everything that was asked for has come. */
    isIdle: false,
    [Symbol.dispose]() {
      limit.removeEventListener('abort', end)
      if (!this.isIdle) client.close()
      resolve(this.isIdle ? client : null)
      setTimeout(() => accounts.get(settings) === promise && client.close(), IDLE_MS).unref()
    },
  }

  async function open(): Promise<ImapFlow> {
    try {
      signal.throwIfAborted()
      return await openAccount(http, settings)
    } catch (error) {
      resolve(null)
      throw error
    }
  }
}
