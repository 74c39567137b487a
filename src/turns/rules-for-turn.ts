import type { Agent } from '../agents/agent.ts'
import { factsOf } from '../conditions/facts.ts'
import type { Evaluators } from '../evaluators/create-evaluators.ts'
import type { Clock } from '../lib/clock.ts'
import { readCtaCounts } from '../rules/read-cta-counts.ts'
import type { AgentRules } from '../rules/rules-of-agent.ts'
import { type TurnRules, turnRules } from '../rules/turn-rules.ts'
import { keepTrying } from '../storage/keep-trying.ts'
import type { Database } from '../storage/opened-database.ts'
import { hoursOfConversation } from '../transcripts/conversations/hours-of.ts'
import { countMessages } from '../transcripts/messages/count-messages.ts'
import { newMessages } from './prompt.ts'
import { userText } from './prompt-text.ts'
import type { StartedTurn } from './turn.ts'

/** Prepares an agent's rules for a turn; null when it has none. */
export type RulesForTurn = (turn: StartedTurn, signal: AbortSignal) => Promise<TurnRules | null>

export function rulesForTurns(
  { db, engine, clock }: Pick<Database, 'db' | 'engine'> & { clock: Clock },
  rulesOf: (agent: Agent) => Promise<AgentRules | null>,
  evaluators: Evaluators,
): RulesForTurn {
  return async (turn, signal) => {
    const rules = await rulesOf(turn.agent)
    if (!rules) return null
    const prompt = userText(newMessages(turn.messages))
    const facts = factsOf({
      prompt,
      messageCount: rules.countsMessages ? await countMessages(db, turn.conversationId) : null,
      ...turn.origin,
      at: Date.parse(turn.createdAt),
      timeZone: turn.agent.settings.time_zone,
      hours: await hoursOfConversation(db, turn.conversationId, turn.agent.settings.hours),
    })
    return turnRules({
      rules,
      evaluators,
      agent: turn.agent,
      facts,
      prompt,
      written: userText(turn.messages),
      // Keeps trying, because the answer is made by then and would be lost.
      ctasShown: () => keepTrying(engine, () => readCtaCounts(db, turn.conversationId)),
      clock,
      signal,
    })
  }
}
