/** The kinds of background work that agents have: as the API, metrics, the log and `error` events name them. */
export const kindsOfWork = [
  'channels',
  'fetches',
  'automations',
  'desk_automations',
  'bulk_acts',
  'snoozes',
  'away_messages',
  'notices',
  'notice_mails',
  'notice_pushes',
  'silences',
  'targets',
  'target_recounts',
  'support_figures',
  'imports',
  'test_runs',
  'embeddings',
  'calibrations',
  'summaries',
  'proposals',
] as const

export type KindOfWork = (typeof kindsOfWork)[number]

/** A kind of work in the rows of a table: of an agent, or of a person. */
export type QueueName = KindOfWork | 'mails' | 'digests'
