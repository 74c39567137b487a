import { sql } from 'kysely'
import { index, type Step } from '../migration.ts'

/** Columns that the list of completions is filtered by; null where they do not apply. */
const OPTIONAL = {
  completions_user: 'user_id',
  completions_device: 'device_id',
  completions_session: 'session_id',
  completions_channel: 'channel_id',
  completions_language: 'language',
  completions_liked: 'liked',
} as const

/**
 * Adds an index for each filter of each list. Each index of completions ends with (created_at, number), the order of
 * their list, so that a range of time is a range of the index. A completion has entries only for the filters that apply
 * to it.
 */
export const steps: readonly Step[] = [
  index('completions_agent', (create) =>
    create
      .on('completions')
      .columns(['agent_id', 'created_at', 'number'])
      // Always true, so that only queries that state it use this index: to others it would look as good as a
      // filter's.
      .where(sql<boolean>`number > 0`),
  ),
  index('completions_conversation', (create) =>
    create.on('completions').columns(['conversation_id', 'created_at', 'number']),
  ),
  ...Object.entries(OPTIONAL).map(([name, column]) =>
    index(name, (create) =>
      create
        .on('completions')
        .columns(['agent_id', column, 'created_at', 'number'])
        .where(sql.ref(column), 'is not', null),
    ),
  ),
  index('completions_flagged', (create) =>
    create
      .on('completions')
      .columns(['agent_id', 'flagged', 'created_at', 'number'])
      .where(sql<boolean>`flagged > 0`),
  ),
  index('knowledge_documents_agent', (create) =>
    create.on('knowledge_documents').columns(['agent_id', 'id']),
  ),
]
