/** The conversations that somebody has, for the text of a trigger. */
export const ASSIGNED_CONVERSATIONS =
  '(select id, agent_id from conversations where assignee_id is not null) as assigned'
