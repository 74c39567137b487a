import type { Admission } from '../http/member.ts'
import { includes, type Right } from '../http/rights.ts'
import { acrossAgents } from '../lib/agent-scope.ts'
import type { FailureDescription } from '../lib/describe-failure.ts'
import { periodic } from '../lib/pacing/periodic.ts'
import type { Listener } from './listener.ts'
import type { Listeners } from './listeners.ts'

/** Reads the present right of each admission; null for one that would be refused now. */
export type Admitted = (admissions: readonly Admission[]) => Promise<(admission: Admission) => Right | null>

interface Dependencies {
  listeners: Listeners
  admitted: Admitted
  logger: { warn(about: { error: FailureDescription }, message: string): void }
}

const EVERY_MS = 2000
/** The number of streams that one query checks. */
const AT_ONCE = 500

/** Ends the streams whose credential was revoked, whose right was lowered or whose session has ended. */
export function endUnadmitted({ listeners, admitted, logger }: Dependencies) {
  return periodic({ name: 'looking after live streams', everyMs: EVERY_MS, logger }, async (signal) => {
    const all = [...listeners.all]
    for (let from = 0; from < all.length && !signal.aborted; from += AT_ONCE) {
      const some = all.slice(from, from + AT_ONCE)
      const rightOf = await acrossAgents('one query checks the streams of all agents', () =>
        admitted(some.map(({ subscription }) => subscription.admission)),
      )
      for (const listener of some) if (!mayListen(listener, rightOf)) listener.end()
    }
  })
}

function mayListen({ subscription }: Listener, rightOf: (admission: Admission) => Right | null): boolean {
  const right = rightOf(subscription.admission)
  return right !== null && includes(right, subscription.view === 'team' ? 'read' : 'chat')
}
