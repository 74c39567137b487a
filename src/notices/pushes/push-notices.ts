import type { Kysely } from 'kysely'
import webPush from 'web-push'
import { teamOfAgent } from '../../agents/team-of-agent.ts'
import { raise } from '../../events/raise.ts'
import { MINUTE_MS, timestamp } from '../../lib/clock.ts'
import { type Outbound, OutboundError } from '../../lib/outbound/outbound.ts'
import { retryAfterMs } from '../../lib/outbound/retry-after.ts'
import { patientAttemptAt } from '../../lib/pacing/patience.ts'
import type { SecretBox } from '../../lib/secrets/secret-box.ts'
import { deleteBrowser, type PushBrowserRow, selectBrowser } from '../../operators/browsers.ts'
import type { Tables } from '../../storage/tables.ts'
import type { Lease } from '../../work/lease.ts'
import { type QueueDependencies, runQueue } from '../../work/run-queue.ts'
import type { RunningWork, Stop } from '../../work/run-work.ts'
import { placeOf, sentenceOf } from '../mails/write-notices.ts'
import { presentNotices } from '../present-notices.ts'
import { recipient } from '../recipient.ts'
import { settingsOf } from '../settings.ts'
import { isNoticeSeen } from '../store.ts'
import type { NoticePushRow, NoticeRow } from '../tables.ts'
import { deletePush, lockNotice, NOTICE_PUSHES, noticePushQueue, updatePush } from './store.ts'
import { readPushKeys } from './vapid.ts'

interface PushDependencies extends QueueDependencies {
  box: SecretBox
  outbound: Outbound
  /** The address by which push services can reach the operator of the installation: https or mailto. */
  contact: () => string
}

const AT_ONCE = 8
/** A notice that could not be pushed within this time, or reached no browser, is only on the page. */
const KEPT_MS = 12 * 60 * MINUTE_MS
/** The tries to take a notice back from a push service that accepts nothing: about half a day. */
const MOST_TAKING_BACK = 17

/** A message to a browser: show a notice, or take it back. The notice's id is its tag there. */
type PushMessage = { type: 'notice'; id: number; text: string; path: string } | { type: 'read'; id: number }

/** Thrown when a push service takes nothing for now. */
class PushRefused extends Error {
  /** The time that it asks to wait; null when it does not say. */
  readonly pauseMs: number | null

  constructor(status: number, pauseMs: number | null) {
    super(`the push service answered ${status}`)
    this.name = 'PushRefused'
    this.pauseMs = pauseMs
  }
}

/**
 * Pushes notices to the browsers of people, each once, and takes them back there once they are read. What was read
 * before is not pushed. A push that may have arrived goes again, unlike a mail: the browser shows it in place of the
 * first. The row says that it may be shown before it leaves, so that it is taken back.
 */
export function pushNotices(dependencies: PushDependencies): RunningWork {
  const { clock } = dependencies
  return runQueue<NoticePushRow>(
    {
      name: 'notice_pushes',
      queue: noticePushQueue,
      topics: [NOTICE_PUSHES],
      atOnce: AT_ONCE,
      endsAt: 'forced',
      work: (push, lease, stop) => pushOne(dependencies, push, lease, stop),
      patience: (error, attempts) => {
        if (!(error instanceof PushRefused) && !(error instanceof OutboundError)) return null
        return patientAttemptAt(attempts, clock(), error instanceof PushRefused ? error.pauseMs : null)
      },
      failed: async (db, { id, sending_since }, error) => {
        if (isNotTaken(error)) await updatePush(db, id, { sending_since })
      },
      raise,
      about: ({ agent_id, browser_id }) => ({ agent_id, push_browser: browser_id }),
    },
    dependencies,
  )
}

async function pushOne(
  dependencies: PushDependencies,
  push: NoticePushRow,
  lease: Lease,
  stop: Stop,
): Promise<void> {
  const { clock, database } = dependencies
  const { id, shown_at, sending_since } = push
  const mayBeShown = shown_at !== null || sending_since !== null
  const leaving = await begin()
  if (!leaving) return
  await send(dependencies, push, leaving, stop.forced)
  await end(leaving.message)

  /**
   * Runs a transaction that locks the notice and holds the lease. Marking the notice as read waits for its end. The
   * trigger that has pushes taken back then sees the row as it was settled.
   */
  function withNotice<T>(
    work: (db: Kysely<Tables>, notice: NoticeRow | undefined) => Promise<T>,
  ): Promise<T> {
    return database.db.transaction().execute(async (db) => {
      const notice = await lockNotice(db, push)
      await lease.hold(db)
      return work(db, notice)
    })
  }

  /** Reads what to push and stores what may be shown from now on; null: there is nothing, and the row is settled. */
  async function begin() {
    return withNotice(async (db, notice) => {
      const browser = await selectBrowser(db, push.browser_id)
      const message = notice && browser && (await messageFor(db, notice, browser))
      if (message && browser) {
        if (!mayBeShown) await updatePush(db, id, { sending_since: timestamp(clock()) })
        return { browser, message }
      }
      if (notice?.unread === 1 && mayBeShown) {
        await updatePush(db, id, { due_at: null })
        await noticePushQueue.end(db, push)
      } else await deletePush(db, id)
      return null
    })
  }

  async function messageFor(
    db: Kysely<Tables>,
    notice: NoticeRow,
    { operator_id }: PushBrowserRow,
  ): Promise<PushMessage | null> {
    if (notice.unread === 0) {
      const isTakenBack = mayBeShown && push.attempts < MOST_TAKING_BACK
      return isTakenBack ? { type: 'read', id: notice.id } : null
    }
    if (shown_at !== null || Date.parse(notice.at) < clock() - KEPT_MS) return null
    return shownTo(db, notice, operator_id)
  }

  /** Settles the row: a notice that was shown stays until it is read; one that was taken back is deleted. */
  async function end({ type }: PushMessage): Promise<void> {
    await withNotice(async (db, notice) => {
      if (type === 'read') return deletePush(db, id)
      const now = timestamp(clock())
      const due_at = notice?.unread === 1 ? null : now
      await updatePush(db, id, { shown_at: now, sending_since: null, due_at })
      await noticePushQueue.end(db, push)
    })
  }
}

/** True if a piece failed because the push service has certainly not taken its message. */
function isNotTaken(error: Error): boolean {
  return error instanceof PushRefused || (error instanceof OutboundError && error.neverSent)
}

/** Returns what a person's browsers show of a notice; null: it was read, or is not for them any more. */
async function shownTo(
  db: Kysely<Tables>,
  notice: NoticeRow,
  operatorId: number,
): Promise<PushMessage | null> {
  const to = await recipient(db, operatorId)
  const { kinds, details } = (await settingsOf(db, [operatorId]))(operatorId)
  if (notice.unread === 0 || !kinds[notice.kind].push) return null
  if (!to?.kinds.includes(notice.kind) || !(await isNoticeSeen(db, notice.id, to))) return null
  const [presented] = await presentNotices(db, [notice])
  if (!presented) return null
  const text = details ? sentenceOf(presented, true) : 'There is something new for you.'
  return { type: 'notice', id: notice.id, text, path: placeOf(presented) }
}

/**
 * Encrypts a message for a browser and hands it to its push service.
 * @throws PushRefused, OutboundError for a failure after which it may be tried again
 */
async function send(
  { database: { db }, box, outbound, contact, logger }: PushDependencies,
  { agent_id, notice_id }: NoticePushRow,
  { browser, message }: { browser: PushBrowserRow; message: PushMessage },
  signal: AbortSignal,
): Promise<void> {
  const { id, endpoint, p256dh, auth } = browser
  const { method, headers, body } = webPush.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    JSON.stringify(message),
    {
      vapidDetails: { subject: contact(), ...(await readPushKeys(db, box)) },
      TTL: KEPT_MS / 1000,
      // A push service keeps one message of a topic: a later one replaces one that has not arrived.
      topic: `notice-${notice_id}`,
    },
  )
  const http = outbound.of(await teamOfAgent(db, agent_id))
  const about = { agent_id, push_browser: id }
  const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
  try {
    const { status, headers: answered } = await http.request(endpoint, {
      method: method as 'POST',
      headers: named,
      body: body ?? '',
      signal,
      truncate: true,
    })
    if (status === 404 || status === 410) await deleteBrowser(db, id)
    else if (status === 429 || status >= 500) throw new PushRefused(status, retryAfterMs(answered))
    else if (status >= 300) logger.warn({ ...about, status }, 'a push service refused a notice')
  } catch (error) {
    if (!(error instanceof OutboundError) || error.reason !== 'blocked') throw error
    logger.warn({ ...about, code: error.reason }, 'a push service may not be called')
  }
}
