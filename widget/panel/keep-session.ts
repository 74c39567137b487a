import type { Language } from '../launcher/language.ts'
import type { KnownUser } from '../launcher/settings.ts'
import type { ChatParts } from './chat-parts.ts'
import { Refusal, type Session } from './protocol.ts'
import type { Closed } from './state.ts'

interface SessionOptions {
  /** The service's origin, from which the script came. */
  service: string
  user: KnownUser | null
  language: () => Language
}

/**
 * Starts the visitor's session, and starts it anew when the service has refused the visitor's token.
 * @param close called when there will be no session
 */
export function keepSession(
  { store, protocol, pauses, life }: ChatParts,
  { service, user, language }: SessionOptions,
  started: (session: Session) => void,
  close: (reason: Closed) => false,
) {
  let starting: Promise<boolean> | null = null

  return { start, renew }

  /** Starts a session of a new or of the identified visitor, because the service refused the token. */
  function renew(): Promise<boolean> {
    protocol.token = null
    return start()
  }

  /** Starts a session, or waits for the one that is being started. @returns true if there is one */
  function start(): Promise<boolean> {
    starting ??= tryToStart().finally(() => {
      starting = null
    })
    return starting
  }

  /** Tries until the service says yes or no. */
  async function tryToStart(): Promise<boolean> {
    for (let tries = 0, strange = 0; !life.aborted; tries++) {
      try {
        const session = await protocol.session(language().shown, {
          visitor_token: protocol.token ?? undefined,
          user: user ?? undefined,
          language: language().wanted,
        })
        if (life.aborted) break
        started(session)
        return true
      } catch (error) {
        if (life.aborted) break
        if (!(error instanceof Refusal)) {
          // If this happens twice, the service is there but not for this page: other origins cannot read its answers.
          if (navigator.onLine && (await isThere(service)) && ++strange === 2) return close('notHere')
          store.set({ isOffline: true })
        } else if (error.code === 'invalid_visitor' && protocol.token !== null) {
          protocol.token = null
          continue
        } else {
          const reason = finalReason(error)
          if (reason) return close(reason)
          if (error.retryMs) await pauses.rest(error.retryMs)
        }
      }
      await pauses.backOff(tries)
    }
    return false
  }
}

/** Returns the reason why the service will never start a session; null: it may do so later. */
function finalReason({ code, status }: Refusal): Closed | null {
  if (code === 'identity_refused') return 'identityRefused'
  if (code === 'identity_required') return 'identityRequired'
  // A refusal without a code is a proxy's or a firewall's, which may let the next one through.
  return code !== '' && status < 500 && status !== 429 ? 'inactive' : null
}

/** Tells whether the service answers at all: it gives its script to every page. */
async function isThere(service: string): Promise<boolean> {
  const script = fetch(`${service}/widget.js`, { method: 'HEAD', cache: 'no-store', credentials: 'omit' })
  return script.then(
    ({ ok }) => ok,
    () => false,
  )
}
