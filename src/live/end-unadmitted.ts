import type { Kysely } from 'kysely'
import type { Admission } from '../http/member.ts'
import { includes, type Right } from '../http/rights.ts'
import type { Scope } from '../http/scope.ts'
import { acrossAgents } from '../lib/agent-scope.ts'
import type { FailureDescription } from '../lib/describe-failure.ts'
import { periodic } from '../lib/pacing/periodic.ts'
import type { Tables } from '../storage/tables.ts'
import type { Listener } from './listener.ts'
import type { Listeners } from './listeners.ts'
import { placesFor } from './places.ts'

/** The right and the scope of an admission at present. */
interface Allowed {
  right: Right
  scope: Scope | null
}

/** Reads what each admission allows at present; null for one that would be refused now. */
export type Admitted = (admissions: readonly Admission[]) => Promise<(admission: Admission) => Allowed | null>

interface Dependencies {
  db: Kysely<Tables>
  listeners: Listeners
  admitted: Admitted
  /** Tells a listener that its scope is another one than before. */
  rescoped(listener: Listener): void
  logger: { warn(about: { error: FailureDescription }, message: string): void }
}

const EVERY_MS = 2000
/** The number of streams that one query checks. */
const AT_ONCE = 500

/**
 * Ends the streams whose credential was revoked, whose right was lowered or whose session has ended, and those of a
 * conversation that the person may no longer see. Gives the others the scope that their person has now.
 */
export function endUnadmitted({ db, listeners, admitted, rescoped, logger }: Dependencies) {
  return periodic({ name: 'looking after live streams', everyMs: EVERY_MS, logger }, async (signal) => {
    const all = [...listeners.all]
    for (let from = 0; from < all.length && !signal.aborted; from += AT_ONCE) {
      const some = all.slice(from, from + AT_ONCE)
      await acrossAgents('one query checks the streams of all agents', async () => {
        const allowedTo = await admitted(some.map(({ subscription }) => subscription.admission))
        for (const listener of some) {
          const allowed = allowedTo(listener.subscription.admission)
          if (!allowed || !includes(allowed.right, listener.isOfTeam ? 'read' : 'chat')) listener.end()
          else if (listener.takeScope(allowed.scope)) rescoped(listener)
        }
        const ids = some.map(({ subscription }) => subscription.conversationId)
        const sees = await placesFor(db, some, ids)
        for (const listener of some) if (!sees(listener, listener.subscription.conversationId)) listener.end()
      })
    }
  })
}
