import { createHash } from 'node:crypto'
import type { ImapFlow } from 'imapflow'
import { z } from 'zod'
import { DAY_MS } from '../../lib/clock.ts'
import { type Arrived, PlatformError, type PlatformHttp } from '../platform.ts'
import { LOOK_AGAIN_MS, openAccount, openMail } from './imap.ts'
import { type Letter, readLetter } from './letter.ts'
import { mailError } from './servers.ts'
import { type EmailSettings, plainAddress } from './settings.ts'

/** A mail as `read` takes it. */
export class FoundMail {
  readonly folder: 'inbox' | 'sent'
  readonly letter: Letter
  readonly place: MailPlace
  /** The time at which the server got it, in milliseconds. */
  readonly cameAt: number

  constructor(folder: FoundMail['folder'], letter: Letter, place: MailPlace, cameAt: number) {
    this.folder = folder
    this.letter = letter
    this.place = place
    this.cameAt = cameAt
  }
}

/** The number of a mail in its folder, which counts as long as the folder's validity stays the same. */
export interface MailPlace {
  validity: string
  uid: number
}

const placeSchema = z.object({
  /** Numbers of mails mean something only while this stays the same (RFC 9051, section 2.3.1.1). */
  validity: z.string(),
  /** The number of the next mail. */
  next: z.number(),
  /** The time of the last look, in milliseconds. */
  lookedAt: z.number(),
})

/** The place up to which the folders of an account were read. */
const positionSchema = z.object({
  /** A hash of the account: another one begins anew. */
  account: z.string(),
  inbox: placeSchema,
  /** Null while the account has no folder of sent mail. */
  sent: placeSchema.nullable(),
})

type Place = z.output<typeof placeSchema>
type Position = z.output<typeof positionSchema>

const AT_ONCE = 20
/** After a server has numbered its mail anew, mail is looked through from this long before the last look. */
const OVERLAP_MS = DAY_MS

/**
 * Waits for mail. The first time, it yields only mail that comes from then on. Mail stays in the account as it is, not
 * even marked as read.
 * @throws PlatformError
 */
export async function* listenForMail(
  http: PlatformHttp,
  settings: EmailSettings,
  stored: string | null,
  signal: AbortSignal,
): AsyncGenerator<Arrived> {
  const client = await openAccount(http, settings)
  const bell = ring()
  client.on('exists', bell.ring)
  client.on('close', bell.ring)
  client.on('error', bell.ring)
  const stop = () => client.close()
  signal.addEventListener('abort', stop, { once: true })
  try {
    if (signal.aborted) return
    const sentFolder = (await client.list()).find(({ specialUse }) => specialUse === '\\Sent')?.path ?? null
    const position = await beginAt(client, accountOf(settings), stored, sentFolder)
    yield { bodies: [], position: JSON.stringify(position) }
    while (!signal.aborted) {
      if (sentFolder !== null && position.sent !== null) {
        await client.mailboxOpen(sentFolder, { readOnly: true })
        yield* newMail(client, position, 'sent')
      }
      await client.mailboxOpen('INBOX', { readOnly: true })
      const until = Date.now() + LOOK_AGAIN_MS
      do {
        bell.clear()
        yield* newMail(client, position, 'inbox')
        const idle = client.idle().catch(() => false)
        await bell.wait(until - Date.now(), signal)
        if (!client.usable)
          throw new PlatformError('not_sent', 'unreachable', 'the mail server closed the connection')
        await client.noop()
        await idle
      } while (Date.now() < until && !signal.aborted)
    }
  } catch (error) {
    throw mailError(error, 'not_sent')
  } finally {
    signal.removeEventListener('abort', stop)
    client.close()
  }
}

/** Signs in without reading anything. @throws PlatformError */
export async function checkReading(http: PlatformHttp, settings: EmailSettings): Promise<void> {
  const client = await openAccount(http, settings)
  client.close()
}

/** Returns where to begin: where it ended, or now. */
async function beginAt(
  client: ImapFlow,
  account: string,
  stored: string | null,
  sentFolder: string | null,
): Promise<Position> {
  const position = readPosition(stored)
  const known = position?.account === account ? position : null
  return {
    account,
    inbox: known?.inbox ?? (await placeNow(client, 'INBOX')),
    sent: sentFolder === null ? null : (known?.sent ?? (await placeNow(client, sentFolder))),
  }
}

async function placeNow(client: ImapFlow, folder: string): Promise<Place> {
  const { uidNext, uidValidity } = await client.mailboxOpen(folder, { readOnly: true })
  return { validity: String(uidValidity), next: uidNext, lookedAt: Date.now() }
}

/** Reads the mail of the open folder that is new, a few at a time. */
async function* newMail(
  client: ImapFlow,
  position: Position,
  folder: FoundMail['folder'],
): AsyncGenerator<Arrived> {
  const place = position[folder]
  const { mailbox } = client
  if (!place || !mailbox) return
  const lookedAt = Date.now()
  const validity = String(mailbox.uidValidity)
  const isRenumbered = validity !== place.validity
  const uids = await newNumbers(client, place, isRenumbered)
  const end = Math.max(mailbox.uidNext, (uids.at(-1) ?? 0) + 1)
  if (!isRenumbered) place.lookedAt = lookedAt
  for (let at = 0; at < uids.length; at += AT_ONCE) {
    const some = uids.slice(at, at + AT_ONCE)
    const bodies: unknown[] = []
    for (const uid of some) bodies.push(...(await mailAt(client, validity, uid, folder)))
    if (!isRenumbered) place.next = (some.at(-1) ?? 0) + 1
    yield { bodies, position: JSON.stringify(position) }
  }
  if (!isRenumbered) return
  // New numbers may be in another order than the mails came, so no place counts before all of them were read.
  Object.assign(place, { validity, next: end, lookedAt })
  yield { bodies: [], position: JSON.stringify(position) }
}

/** Returns the numbers of the new mails, in order. */
async function newNumbers(client: ImapFlow, place: Place, isRenumbered: boolean): Promise<number[]> {
  // Mails that were read before the server numbered them anew are known by their ids.
  const query = isRenumbered ? { since: new Date(place.lookedAt - OVERLAP_MS) } : { uid: `${place.next}:*` }
  const found = (await client.search(query, { uid: true })) || []
  return found.filter((uid) => isRenumbered || uid >= place.next).sort((a, b) => a - b)
}

/** Returns a mail in a list; an empty list when it is gone, and null when it cannot be read. */
async function mailAt(
  client: ImapFlow,
  validity: string,
  uid: number,
  folder: FoundMail['folder'],
): Promise<(FoundMail | null)[]> {
  const mail = await openMail(client, uid, null)
  if (mail === null) return []
  const letter = await readLetter(mail.all()).catch((error: unknown) => {
    if (error instanceof PlatformError) throw error
    return null
  })
  return [letter && new FoundMail(folder, letter, { validity, uid }, mail.cameAt.getTime())]
}

function accountOf({ imap, address }: EmailSettings): string {
  const account = [imap?.host, imap?.port ?? null, imap?.user, plainAddress(address ?? '')]
  return createHash('sha256').update(JSON.stringify(account)).digest('base64url')
}

function readPosition(stored: string | null): Position | null {
  return stored === null ? null : (positionSchema.safeParse(JSON.parse(stored)).data ?? null)
}

/** Returns a bell that may ring before or while somebody waits for it. */
function ring() {
  let isRung = false
  let wake = () => {}
  return {
    ring() {
      isRung = true
      wake()
    },
    clear() {
      isRung = false
    },
    async wait(limitMs: number, signal: AbortSignal): Promise<void> {
      if (isRung || signal.aborted) return
      const { promise, resolve } = Promise.withResolvers<void>()
      wake = resolve
      const end = () => resolve()
      const timer = setTimeout(end, Math.max(limitMs, 0))
      signal.addEventListener('abort', end)
      await promise
      clearTimeout(timer)
      // The mailbox is read for days with the same signal.
      signal.removeEventListener('abort', end)
    },
  }
}
