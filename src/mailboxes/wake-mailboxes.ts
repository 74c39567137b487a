import type { FastifyBaseLogger } from 'fastify'
import { type Clock, timestamp } from '../lib/clock.ts'
import { describeFailure } from '../lib/describe-failure.ts'
import type { Database } from '../storage/engine.ts'
import { makeDue } from './items.ts'
import { selectMailboxesWithDueItems, selectUnwoken, wakeMailboxes } from './store.ts'
import { POSTED } from './topics.ts'

const AT_ONCE = 1000
const LOOK_EVERY_MS = 60_000

/**
 * Brings the times of mailboxes forward to which something was posted without that, as a pause does: writing all of
 * them in the pause's own transaction would keep everything that comes in meanwhile waiting. Whoever posted and died
 * is made up for at the next start, or within a minute by another process.
 * @param woken is told whenever there is something to work
 */
export function wakePosted({
  database: { db, wakeUps },
  clock,
  logger,
  woken,
}: {
  database: Pick<Database, 'db' | 'wakeUps'>
  clock: Clock
  logger: FastifyBaseLogger
  woken: () => void
}) {
  let waking: Promise<void> | null = null
  let isAskedAgain = false
  let isOn = false
  let timer: NodeJS.Timeout | undefined
  let unlisten = () => {}

  function look(): void {
    isAskedAgain = true
    waking ??= wakeAll()
      .catch((error: Error) => logger.warn({ error: describeFailure(error) }, 'mailboxes cannot be woken'))
      .finally(() => {
        waking = null
      })
  }

  async function wakeAll(): Promise<void> {
    while (isAskedAgain && isOn) {
      isAskedAgain = false
      let ids: number[] = []
      do {
        const now = timestamp(clock())
        const rows = await selectMailboxesWithDueItems(db, { after: ids.at(-1) ?? 0, now, limit: AT_ONCE })
        ids = rows.map(({ mailbox_id }) => mailbox_id)
        if (ids.length > 0) await wake(ids, now)
      } while (ids.length === AT_ONCE && isOn)
    }
  }

  async function wake(ids: number[], now: string): Promise<void> {
    if ((await wakeMailboxes(db, ids, now)) > 0) woken()
    const unwoken = await selectUnwoken(db, ids, now)
    // One by one: whoever holds several and waits for this one is not waited for in turn.
    for (const id of unwoken) await makeDue(db, { id, due_at: now })
    if (unwoken.length > 0) woken()
  }

  return {
    start() {
      isOn = true
      unlisten = wakeUps.listen(POSTED, look)
      timer = setInterval(look, LOOK_EVERY_MS)
      timer.unref()
      look()
    },
    async stop() {
      isOn = false
      unlisten()
      clearInterval(timer)
      await waking
    },
  }
}
