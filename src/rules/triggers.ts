import type { Trigger } from '../storage/triggers.ts'
import { CAUSE_OF_HAPPENING, IS_NO_BETTER_REASON } from '../transcripts/doors/happening-in-trigger.ts'

/** The happenings that start automations. A conversation that begins to wait also starts the clocks of `waited`. */
const HAPPENINGS = ['waiting', 'assigned', 'tagged', 'ended']

/** Begins a job for what happened, if the agent has an automation for it. */
function job(
  event: string,
  of: { id: string; conversation: string; cause: string; at: string },
  condition = '',
): string {
  return `insert into desk_jobs
      (agent_id, conversation_id, on_event, happening_id, cause, state, due_at, created_at)
    select new.agent_id, ${of.conversation}, ${event}, ${of.id}, ${of.cause}, 'waiting', ${of.at}, ${of.at}
    where exists (
      select 1 from rules where agent_id = new.agent_id and on_event = ${event} and active = 1
    )${condition};`
}

const ofHappening = {
  id: 'new.id',
  conversation: 'new.conversation_id',
  cause: CAUSE_OF_HAPPENING,
  at: 'new.at',
}

/**
 * Begins the jobs of automations at the desk, in the transaction of the happening, so that the code behind a happening
 * need not know of automations.
 */
export const automationTriggers: readonly Trigger[] = [
  {
    name: 'automations_of_happenings',
    revision: 2,
    after: 'insert on happenings',
    when: () => `new.kind in (${HAPPENINGS.map((kind) => `'${kind}'`).join(', ')})`,
    acts: () => job('new.kind', ofHappening, ` and ${IS_NO_BETTER_REASON}`),
  },
  {
    name: 'automations_of_waits',
    revision: 2,
    after: 'insert on happenings',
    when: () => "new.kind = 'waiting'",
    // Each has its own minutes, so each has its own job.
    acts: () => `
      insert into desk_jobs
        (agent_id, conversation_id, on_event, happening_id, rule_id, cause, state, due_at, created_at)
      select new.agent_id, new.conversation_id, 'waited', new.id, rules.id, ${CAUSE_OF_HAPPENING}, 'waiting', new.at, new.at
      from rules where agent_id = new.agent_id and on_event = 'waited' and active = 1
        and ${IS_NO_BETTER_REASON};`,
  },
  {
    name: 'automations_of_conversations',
    revision: 1,
    after: 'insert on conversations',
    acts: () =>
      job("'opened'", { id: 'null', conversation: 'new.id', cause: 'new.id', at: 'new.started_at' }),
  },
]
