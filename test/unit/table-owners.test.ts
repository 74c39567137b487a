import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { Tables } from '../../src/storage/tables.ts'
import { columns } from '../../src/texts/text-columns.ts'

/**
 * The folder of src that reads and writes each table and names its columns. Others call its functions, and join the parts
 * of queries that it offers, which have names of their own and only the columns that they are for.
 */
const owners: { [Table in keyof Tables]: string } = {
  conversations: 'transcripts',
  away_messages: 'transcripts',
  agent_counters: 'transcripts',
  completions: 'transcripts',
  messages: 'transcripts',
  evaluations: 'transcripts',
  conversation_notes: 'desk',
  ratings: 'transcripts',
  rating_requests: 'transcripts',
  happenings: 'transcripts',
  drafts: 'desk',
  handoff_summaries: 'desk',
  message_translations: 'desk',
  conversation_summaries: 'turns',
  conversation_keys: 'transcripts',
  replies: 'replies',
  macros: 'macros',
  macro_runs: 'macros',
  widgets: 'widgets',
  tools: 'tools',
  tool_calls: 'turns',
  files: 'files',
  file_pieces: 'files',
  file_fetches: 'files',
  conversation_tags: 'transcripts',
  read_marks: 'desk',
  silences: 'transcripts',
  snoozes: 'desk',
  targets: 'targets',
  target_clocks: 'targets',
  target_recounts: 'targets',
  inbox_rows: 'inbox',
  inbox_counters: 'inbox',
  inbox_group_counters: 'inbox',
  bulk_acts: 'inbox',
  bulk_items: 'inbox',
  saved_views: 'inbox',
  users: 'users',
  user_words: 'users',
  unsourced_users: 'users',
  devices: 'users',
  sessions: 'users',
  idempotency_keys: 'idempotency',
  rules: 'rules',
  rule_log: 'rules',
  rule_evaluators: 'rules',
  cta_counts: 'rules',
  automation_jobs: 'rules',
  desk_jobs: 'rules',
  evaluators: 'evaluators',
  knowledge_documents: 'knowledge',
  knowledge_texts: 'knowledge',
  knowledge_passages: 'knowledge',
  knowledge_words: 'knowledge',
  knowledge_vocabulary: 'knowledge',
  knowledge_totals: 'knowledge',
  knowledge_hidden: 'knowledge',
  knowledge_failures: 'knowledge',
  knowledge_vectors: 'knowledge',
  knowledge_embeddings: 'knowledge',
  knowledge_calibrations: 'knowledge',
  knowledge_imports: 'knowledge',
  knowledge_pages: 'knowledge',
  unanswered_questions: 'knowledge',
  unanswered_notes: 'knowledge',
  knowledge_proposals: 'learning',
  datasets: 'runs',
  dataset_cases: 'runs',
  case_texts: 'runs',
  test_runs: 'runs',
  test_results: 'runs',
  installation: 'storage',
  api_keys: 'credentials',
  bearer_tokens: 'credentials',
  processes: 'storage',
  write_probes: 'storage',
  backfills: 'storage',
  teams: 'agents',
  agents: 'agents',
  agent_versions: 'agents',
  model_usage: 'usage',
  usage_shards: 'usage',
  budget_alerts: 'usage',
  channels: 'mailboxes',
  continuations: 'mailboxes',
  channel_connections: 'channels',
  notifications: 'notifications',
  notification_keys: 'events',
  deliveries: 'notifications',
  events: 'events',
  quarter_counters: 'events',
  day_counters: 'events',
  recounted_counts: 'events',
  recounts: 'analytics',
  changes: 'events',
  log_epochs: 'events',
  mailboxes: 'mailboxes',
  mailbox_items: 'mailboxes',
  thread_aliases: 'mailboxes',
  groups: 'groups',
  group_members: 'groups',
  operators: 'operators',
  operator_links: 'operators',
  operator_sessions: 'operators',
  operator_mails: 'operators',
  sign_in_failures: 'operators',
  notices: 'notices',
  notice_causes: 'notices',
  notice_mails: 'notices',
  notice_pushes: 'notices',
  push_browsers: 'operators',
  notice_settings: 'notices',
  audit: 'audit',
  erasures: 'receipts',
  backups: 'storage',
  support_pending: 'analytics',
  support_retries: 'analytics',
  support_rows: 'analytics',
  support_counts: 'analytics',
  search_pending: 'search',
  search_blocks: 'search',
  search_parts: 'search',
  search_words: 'search',
  search_backfill: 'search',
}

/** The files that build one query for several tables, all of their own folder. */
const OF_SEVERAL = [
  'src/rules/store.ts',
  'src/transcripts/doors/completions-with-messages.ts',
  'src/transcripts/doors/of-user.ts',
  'src/transcripts/messages/message-of.ts',
  'src/usage/store.ts',
  'src/users/visitor-store.ts',
]

describe('table owners', () => {
  it('a query is read in each of its forms', () => {
    const text = [
      "db.selectFrom('messages').innerJoin('agents as a', 'a.id', 'x')",
      "preparedInsert<Omit<EvaluationRow, 'id'>>('evaluations', [",
      'sql`select 1 from teams`',
      "// update users\nuses.insertInto(\n 'events')",
      "insertVisitor('devices')",
      "query.rightJoin('users', 'a', 'b').fullJoin('files', 'a', 'b').crossJoin('tools')",
      "queueOf('macros', limits), leasesOf('widgets'), deleteSome(db, 'replies', ['id'], old)",
      ".set({ ...begunAnew('groups', at), ...wantedAt('targets', at) }).where(takenOver('channels'))",
    ].join('\n')
    const built = ['messages', 'agents', 'evaluations', 'events', 'users', 'files', 'tools']
    const named = ['macros', 'widgets', 'replies', 'groups', 'targets', 'channels']
    assert.deepEqual(tablesIn(text), [...built, ...named, 'teams'])
  })

  it('a column is read in each of its forms', () => {
    const text = [
      ".select(['messages.role', 'events.data as told'])",
      "sql`where messages.id = 1 and agents.name = ''`",
      "// 'users.id'\nchannels.length + 'conversations.ended'",
    ].join('\n')
    assert.deepEqual(columnsIn(text), ['messages.role', 'events.data', 'messages.id', 'agents.name'])
  })

  it('a table that a variable names belongs to the folder of the file', () => {
    const files = globSync('src/**/*.ts').filter(
      (file) =>
        !file.startsWith('src/storage/') &&
        /\b(?:selectFrom|deleteFrom|updateTable|insertInto|\w+Join)\(\s*[a-z]\w*[,)]/.test(
          withoutComments(readFileSync(file, 'utf8')),
        ),
    )
    assert.deepEqual(files.toSorted(), OF_SEVERAL)
  })

  it('a table is named in the folder of its owner only', () => assert.deepEqual(namedByOthers(tablesIn), []))

  it('a column is named in the folder of its owner only', () =>
    assert.deepEqual(namedByOthers(columnsIn), []))
})

/** Names in files of tables that other folders own. @param namesIn finds names that begin with a table's name */
function namedByOthers(namesIn: (source: string) => string[]): string[] {
  return globSync('src/**/*.ts').flatMap((file) => {
    const folder = file.split('/')[1]
    // storage/ has the migrations, and what reads the database as a whole.
    if (folder === 'storage') return []
    const others = namesIn(readFileSync(file, 'utf8')).filter(
      (name) => owners[name.split('.')[0] as keyof Tables] !== folder,
    )
    return [...new Set(others)].map((name) => `${file}: ${name}`)
  })
}

/** The columns that the queries of a source name together with their table. */
function columnsIn(source: string): string[] {
  const code = withoutComments(source)
  const quoted = code.matchAll(/'(\w+)\.(\w+)(?: as \w+)?'/g)
  const written = code
    .matchAll(/\bsql(?:<[^`(]*>)?`([^`]*)`/g)
    .flatMap(([, text = '']) => text.replaceAll(/\$\{[^}]*\}/g, '').matchAll(/\b(\w+)\.(\w+)\b/g))
  return [...quoted, ...written]
    .filter(([, table, column = '']) => isTable(table) && isColumn(table, column))
    .map(([, table, column]) => `${table}.${column}`)
}

/** The tables that the queries of a source name. */
function tablesIn(source: string): (keyof Tables)[] {
  const code = withoutComments(source)
  const built = code.matchAll(
    /\b(?:selectFrom|deleteFrom|updateTable|insertInto|mergeInto|using|(?:inner|left|right|full|cross)Join|deleteSome|queueOf|leasesOf|begunAnew|wantedAt|takenOver|preparedInsert(?:<[^(]*>)?|sql\.table)\(\s*(?:db, )?\[?'(\w+)(?: as \w+)?'/g,
  )
  const written = code.matchAll(/\b(?:from|join|into|update) (\w+)/g)
  return [...built, ...written].map(([, name]) => name).filter(isTable)
}

function withoutComments(source: string): string {
  return source.replaceAll(/\/\*\*.*?\*\/|^\s*\/\/[^\n]*$/gms, '')
}

/** Tells columns from acts of the audit log, which look like them. */
function isColumn(table: keyof Tables, name: string): boolean {
  const known: object | string = columns[table]
  return typeof known === 'string' || Object.hasOwn(known, name)
}

function isTable(name: string | undefined): name is keyof Tables {
  return name !== undefined && Object.hasOwn(owners, name)
}
