import type { RaisedEvent } from '../events/raise.ts'
import type { RuleEvents } from '../rules/turn-rules.ts'
import { type StartedTurn, turnContext } from './turn.ts'
import type { TurnEnd } from './turn-end.ts'

/** Returns the events of the end of a turn, in the order in which they happened. */
export function eventsOf(turn: StartedTurn, end: TurnEnd, ofRules?: RuleEvents): RaisedEvent[] {
  const { startedAt } = end
  return [
    ...(ofRules?.ofPrompt ?? []),
    ...(startedAt ? [{ ...turnContext(turn, startedAt), key: 'response_start' as const }] : []),
    ...(ofRules?.since ?? []),
    lastEvent(turn, end),
    ...(ofRules?.behind ?? []),
  ]
}

function lastEvent(turn: StartedTurn, end: TurnEnd): RaisedEvent {
  const context = turnContext(turn, end.now)
  if (end.kind === 'broken' && end.failure) return { ...context, key: 'error', data: end.failure }
  if (end.kind !== 'answered') return { ...context, key: 'response_end' }
  const ms = Date.parse(end.now) - Date.parse(turn.createdAt)
  return { ...context, key: 'response_end', data: { ms, answered: end.answered } }
}
