import type { Kysely } from 'kysely'
import type { Progress } from '../actions/carry-out.ts'
import type { ComparisonOutcome } from '../conditions/compare-each.ts'
import type { Facts } from '../conditions/condition.ts'
import type { FactSource } from '../conditions/facts.ts'
import type { Tables } from '../storage/tables.ts'
import type { evaluationParts } from './evaluated.ts'
import type { AgentRules, Rule } from './rules-of-agent.ts'
import type { AutomationSettings } from './schemas.ts'

export type Automation = Rule<AutomationSettings>

/** The outcomes of an automation that did not do all it says. */
export const troubles = ['failed', 'unknown'] as const
export type Outcome = 'succeeded' | (typeof troubles)[number]

/**
 * The progress of an automation. `calling`: it was about to call a webhook. If its process dies then, the webhook may
 * have been called, and is not called again.
 */
export interface Run extends Progress {
  id: number
  name: string
  status: 'waiting' | 'running' | 'calling' | Outcome | 'skipped'
  /** The outcome that the automation will have, once an action has not succeeded. */
  trouble?: 'failed' | 'unknown'
  /** The evaluation that decided whether it runs, in the form that its event has. */
  decidedBy?: ReturnType<typeof evaluationParts>
  /** The results of the comparisons of its condition. */
  conditions?: ComparisonOutcome[]
}

/** An automation that has run, in the form that completions and `automations_end` have. */
export type RunOutcome = Pick<Run, 'id' | 'name' | 'status'>

export type FactOptions = { countsMessages: boolean } & Pick<FactSource, 'timeZone' | 'hours'>

/** The facts that conditions ask about, and the completion that they are of; null: there is none. */
export interface KnownFacts {
  facts: Facts
  completionId: string | null
}

/** The automations that run on one answer of the agent, or on one thing that happened at the desk. */
export interface Job {
  readonly id: number
  readonly agent_id: number
  readonly conversation_id: string
  /** The answer's completion; null: something at the desk. */
  readonly completion_id: string | null
  /** The id of what it goes back to: a completion, conversation or happening. */
  readonly cause: string
  /** Begins the ids of its calls of webhooks. */
  readonly name: string
  readonly runs: Run[]
  automationsOf(rules: AgentRules): readonly Automation[]
  readFacts(db: Kysely<Tables>, options: FactOptions): Promise<KnownFacts>
  /**
   * Tells whether an automation may begin, within the transaction in which it does, because it has not run for the same
   * cause. Absent: it cannot have.
   */
  mayBegin?(db: Kysely<Tables>, automationId: number): Promise<boolean>
  /** Returns what it tells webhooks beside the automation and the agent. */
  toldToWebhook(db: Kysely<Tables>): Promise<object>
  /**
   * Reports the outcomes of the automations so far; absent: nobody asks for them.
   * @param endedAt null: not all have ended
   */
  tellOutcomes?(db: Kysely<Tables>, outcomes: RunOutcome[], endedAt: string | null): Promise<void>
  /** Frees its row. @throws LeaseLost */
  end(db: Kysely<Tables>): Promise<void>
  progress(db: Kysely<Tables>): Promise<void>
  write(db: Kysely<Tables>, progress: { runs: string; state: 'waiting' | 'done' }): Promise<void>
}
