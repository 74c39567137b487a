import type { Subscription } from './listener.ts'

/** A limit on the number of streams that share it. */
interface Bound {
  /** The key of the streams that share it. */
  readonly name: string
  readonly most: number
}

const MOST_OF_AGENT = 1000
/** The most streams of visitors: the other places are kept for people and programs of the team. */
const MOST_OF_VISITORS = 800
/** An agent may have several widgets. */
const MOST_OF_WIDGET = 600
/** An office or a mobile network may stand behind one address. */
const MOST_OF_ADDRESS = 60
const MOST_OF_SESSION = 20
const MOST_OF_VISITOR = 3

/**
 * The bounds that a stream counts against. Those of the agent and of its visitors count in all processes together, the
 * others in each process.
 */
export function boundsOf({ agentId, admission, address }: Subscription): Bound[] {
  const ofAgent = { name: agentBound(agentId), most: MOST_OF_AGENT }
  switch (admission.kind) {
    case 'pair':
      return [ofAgent]
    case 'session':
      return [ofAgent, { name: `session ${admission.sessionId}`, most: MOST_OF_SESSION }]
    case 'visitor':
      return [
        ofAgent,
        { name: visitorsBound(agentId), most: MOST_OF_VISITORS },
        { name: `widget ${admission.widgetId}`, most: MOST_OF_WIDGET },
        { name: `address ${agentId} ${address}`, most: MOST_OF_ADDRESS },
        { name: `visitor ${admission.widgetId} ${admission.userId}`, most: MOST_OF_VISITOR },
      ]
  }
}

/** The bound of all streams of an agent. */
export const agentBound = (agentId: number) => `agent ${agentId}`
/** The bound of the streams of visitors of an agent's widgets. */
export const visitorsBound = (agentId: number) => `visitors ${agentId}`
