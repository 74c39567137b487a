/**
 * The id of the completion, conversation or happening that caused the happening which a trigger sees. An act of the
 * system has the cause of the act before it: a group's queue assigns what a person or a rule has put into it.
 */
export const CAUSE_OF_HAPPENING = `coalesce(
  new.cause,
  case when new.actor_kind = 'system' then (
    select coalesce(cause, cast(id as text)) from happenings where id = (
      select max(id) from happenings
      where conversation_id = new.conversation_id and after_message = new.after_message and actor_kind <> 'system'
    )
  ) end,
  cast(new.id as text)
)`

/** Holds unless the happening that a trigger sees only gives a new reason for a wait that goes on. */
export const IS_NO_BETTER_REASON = `(new.kind <> 'waiting' or exists (
  select 1 from conversations where id = new.conversation_id and waiting_since = new.at
))`
