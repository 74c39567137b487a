import type { Trigger } from '../storage/triggers.ts'

/** Notes ids of end users that a process of a version without sources still writes; `giveSources` gives them theirs. */
export const userTriggers: readonly Trigger[] = [
  noting('unsourced_conversation', 'insert on conversations', ofConversation),
  noting('unsourced_conversation_user', 'update of user_id on conversations', ofConversation),
  noting('unsourced_completion', 'insert on completions', ofCompletion),
]

function noting(name: string, after: string, when: () => string): Trigger {
  return {
    name,
    revision: 1,
    after,
    when,
    acts: () => `
      insert into unsourced_users (agent_id, id) values (new.agent_id, new.user_id)
      on conflict (agent_id, id) do update set due_at = '';`,
    function: 'note_unsourced_user',
  }
}

/** Holds for a conversation of a widget or a channel that names a user without their source. */
function ofConversation(): string {
  const prefix =
    "case when new.channel_id is null then 'widget:' else 'channel-' || new.channel_id || ':' end"
  return `new.user_id is not null and (new.channel_id is not null or new.widget_id is not null)
    and ${hasNoSource(prefix)}`
}

function ofCompletion(): string {
  return `new.user_id is not null and new.channel_id is not null
    and ${hasNoSource("'channel-' || new.channel_id || ':'")}`
}

function hasNoSource(prefix: string): string {
  return `substr(new.user_id, 1, length(${prefix})) <> ${prefix}`
}
