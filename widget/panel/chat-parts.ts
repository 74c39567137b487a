import type { Pauses } from './pauses.ts'
import type { Protocol } from './protocol.ts'
import type { Store } from './state.ts'

/** The parts of a chat on which the others build. */
export interface ChatParts {
  store: Store
  protocol: Protocol
  pauses: Pauses
  /** Aborted when the chat stops: nothing that comes later is shown or kept. */
  life: AbortSignal
  /** Gets a valid session again; false if there is none. */
  renew: () => Promise<boolean>
}
