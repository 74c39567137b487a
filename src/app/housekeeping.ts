import { DELETED_AGENTS } from '../agents/delete-agent.ts'
import { eraseAgents } from '../agents/erase-agents.ts'
import { idsOfAgents } from '../agents/team-overview.ts'
import { forgetChanges } from '../events/change-log.ts'
import { foldCounts } from '../events/fold-counts.ts'
import { forgetEvents } from '../events/kept-events.ts'
import { removeFilesOf, removeGivenUp } from '../files/remove-files.ts'
import { DELETED_GROUPS } from '../groups/save-group.ts'
import { releaseConversations, releaseGroups } from '../inbox/release-conversations.ts'
import { sweepHidden } from '../knowledge/documents/sweep-hidden.ts'
import { acrossAgents } from '../lib/agent-scope.ts'
import { HOUR_MS, MINUTE_MS, timestamp } from '../lib/clock.ts'
import type { Begin } from '../lib/pacing/one-by-one.ts'
import { type Periodic, periodic } from '../lib/pacing/periodic.ts'
import { forgetDeliveries } from '../notifications/forget-deliveries.ts'
import { namesOfOperators } from '../operators/find-operator.ts'
import { forgetSessions } from '../operators/forget-sessions.ts'
import { REMOVED_OPERATORS } from '../operators/team-operators.ts'
import { applyRetention } from '../privacy/apply-retention.ts'
import { giveSources } from '../profiles/give-sources.ts'
import { backfill } from '../search/index/backfill.ts'
import { searchedTexts } from '../search/searched-texts.ts'
import { bindSecrets } from '../storage/bind-secrets.ts'
import { removeAbandonedNotes } from '../storage/copy/remove-abandoned-notes.ts'
import { endAbandonedTurns } from '../turns/end-abandoned-turns.ts'
import { agentRows } from './agent-rows.ts'
import { finishMigrations } from './finish-migrations.ts'
import { forgetOld, oldRows } from './forget-old.ts'
import type { Parts } from './parts.ts'

/** The regular tasks of a process with the given roles. */
interface Housekeeping {
  /** Ends the turns that another process left behind. */
  abandoned: Periodic
  /** @param inTurn begins the first run of each */
  start(inTurn: Begin): void
  stop(): Promise<void>
}

/** Prepares the regular tasks; workers also run some of them at once when they are woken. */
export function keepHouse(parts: Parts): Housekeeping {
  const { database, clock, logger, config, box, metrics } = parts
  /** The tasks: 1 for each whose last run failed, 0 for the others. */
  const failed = new Map<string, 0 | 1>()
  metrics.gauge(
    'parley_housekeeping_failed',
    'Tasks of housekeeping: 1 if the last run in this process failed, otherwise 0.',
    ['task'],
    () => [...failed].map(([task, value]) => ({ labels: { task }, value })),
  )
  const every = (everyMs: number, name: string, work: (signal: AbortSignal) => Promise<void>) => {
    failed.set(name, 0)
    return periodic({ name, everyMs, logger }, async (signal) => {
      try {
        await acrossAgents('housekeeping looks after the rows of all agents', () => work(signal))
        failed.set(name, 0)
      } catch (error) {
        failed.set(name, 1)
        throw error
      }
    })
  }
  const abandoned = every(MINUTE_MS, 'ending abandoned turns', (signal) =>
    endAbandonedTurns({ database, clock }, signal),
  )
  // Repeated for an hour, because replicas of an older version may still store secrets that have no origin.
  const bindUntil = clock() + HOUR_MS
  const binding = every(MINUTE_MS, 'binding secrets of an older version beside this one', async () => {
    if (clock() < bindUntil) await bindSecrets(database.db, box)
  })
  const works = [abandoned, ...(config.roles.includes('worker') ? worksOfWorkers() : [])]
  return {
    abandoned,
    start(inTurn) {
      // The first start binds what it finds: this is for what older replicas store later.
      for (const work of works) work.start(work === binding ? null : inTurn)
    },
    async stop() {
      await Promise.all(works.map((work) => work.stop()))
    },
  }

  function worksOfWorkers(): Periodic[] {
    const { db, engine } = database
    const { deliveryDays, eventDays } = config
    const erasing = every(MINUTE_MS, 'erasing deleted agents', (signal) =>
      eraseAgents(
        {
          db,
          engine,
          clock,
          rows: agentRows,
          erasures: parts.redaction.erasures,
          removeFiles: (...of) => removeFilesOf(parts.redaction, ...of),
        },
        signal,
      ),
    )
    database.wakeUps.listen(DELETED_AGENTS, () => void erasing.run())
    const releasing = every(HOUR_MS, 'releasing conversations', (signal) =>
      releaseConversations({ db, clock }, namesOfOperators, signal),
    )
    database.wakeUps.listen(REMOVED_OPERATORS, () => void releasing.run())
    const ungrouping = every(HOUR_MS, 'releasing groups', (signal) =>
      releaseGroups({ db, clock }, idsOfAgents, signal),
    )
    database.wakeUps.listen(DELETED_GROUPS, () => void ungrouping.run())
    return [
      erasing,
      releasing,
      ungrouping,
      every(MINUTE_MS, 'removing files', (signal) =>
        removeGivenUp(parts.redaction, null, timestamp(clock()), signal),
      ),
      every(MINUTE_MS, 'finishing migrations', (signal) =>
        finishMigrations({
          db,
          engine,
          redactionWork: parts.redactionWork,
          signal,
          report: (words) => logger.info(`schema: ${words}`),
        }),
      ),
      every(MINUTE_MS, 'indexing older texts', (signal) =>
        backfill({ db, engine, logger, texts: searchedTexts }, signal),
      ),
      binding,
      every(MINUTE_MS, 'giving end users their source', (signal) => giveSources({ db, clock }, signal)),
      hourly('applying retention', (_, signal) => applyRetention({ ...parts.redaction, logger }, signal)),
      hourly('sweeping knowledge', (nowMs, signal) => sweepHidden(db, nowMs, signal)),
      hourly('forgetting deliveries', (nowMs, signal) => forgetDeliveries(db, nowMs, deliveryDays, signal)),
      hourly('forgetting changes', (nowMs, signal) => forgetChanges(db, nowMs, signal)),
      hourly('forgetting events', (nowMs, signal) => forgetEvents(db, nowMs, eventDays, signal)),
      hourly('forgetting sessions', (nowMs, signal) => forgetSessions(db, nowMs, signal)),
      hourly('folding counts', (nowMs, signal) => foldCounts({ db, engine }, nowMs, signal)),
      hourly('removing notes of an abandoned copy', () => removeAbandonedNotes(db, engine)),
      ...Object.entries(oldRows(config)).map(([what, old]) =>
        hourly(`forgetting ${what}`, (nowMs, signal) => forgetOld(db, old, nowMs, signal)),
      ),
    ]
  }

  function hourly(name: string, work: (nowMs: number, signal: AbortSignal) => Promise<void>) {
    return every(HOUR_MS, name, (signal) => work(clock(), signal))
  }
}
