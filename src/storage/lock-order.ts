import type { Tables } from './tables.ts'

/**
 * The order in which a transaction locks rows, by table. Two transactions that follow it cannot wait for each other in
 * a deadlock. A row counts as locked by its first `update`, `delete`, upsert or `for update`. The tests hold every
 * transaction on PostgreSQL to it (`test/support/lock-order.ts`).
 */
export const LOCK_ORDER: readonly (keyof Tables)[] = [
  // What belongs to the installation as a whole.
  'processes',
  'installation',
  'idempotency_keys',
  // Work that a worker has claimed, or that a person changes as a whole.
  'backfills',
  'bulk_acts',
  'test_runs',
  'datasets',
  'notifications',
  'knowledge_imports',
  'knowledge_totals',
  'knowledge_embeddings',
  'knowledge_calibrations',
  'file_fetches',
  // The agent and its parts.
  'agents',
  'api_keys',
  'bearer_tokens',
  'tools',
  'evaluators',
  'channels',
  'channel_connections',
  'widgets',
  // A chat.
  'thread_aliases',
  'mailboxes',
  'groups',
  'operators',
  'agent_counters',
  'conversations',
  'completions',
  'users',
  'devices',
  'sessions',
  'cta_counts',
  // Texts, in the order in which a redaction rewrites and forgets them.
  'messages',
  'tool_calls',
  'evaluations',
  'conversation_notes',
  'ratings',
  'events',
  'case_texts',
  'search_pending',
  'files',
  'deliveries',
  'test_results',
  'unanswered_questions',
  'unanswered_notes',
  'knowledge_proposals',
  'conversation_summaries',
  'message_translations',
  'handoff_summaries',
  'drafts',
  'snoozes',
  'continuations',
  'conversation_keys',
  'erasures',
  'audit',
  'notices',
  // What many transactions write comes last, so that it is locked only briefly.
  'budget_alerts',
  'quarter_counters',
  'day_counters',
  'usage_shards',
  'log_epochs',
]

/**
 * Tables without a place in the order: only a transaction that holds the row they belong to reaches their rows, or the
 * worker that has claimed them.
 */
export const LOCKED_WITH_ANOTHER: readonly (keyof Tables)[] = [
  'agent_versions',
  'automation_jobs',
  'away_messages',
  'bulk_items',
  'conversation_tags',
  'dataset_cases',
  'file_pieces',
  'group_members',
  'happenings',
  'knowledge_documents',
  'knowledge_hidden',
  'knowledge_pages',
  'knowledge_passages',
  'knowledge_texts',
  'knowledge_vectors',
  'knowledge_vocabulary',
  'knowledge_words',
  'macro_runs',
  'macros',
  'mailbox_items',
  'notice_causes',
  'notification_keys',
  'operator_links',
  'operator_mails',
  'operator_sessions',
  'read_marks',
  'rule_evaluators',
  'rules',
  'search_backfill',
  'search_words',
  'user_words',
]
