import { type TextKindName, textKinds } from '../redaction/text-kinds.ts'
import { type DeclaredTables, queued } from './declared-columns.ts'
import { knowledgeColumns } from './knowledge-columns.ts'
import { transcriptColumns } from './transcript-columns.ts'

/**
 * The treatment of each column of every table by redaction. A column that is missing here does not compile, nor does
 * one that may hold any text and does not say why it is kept. A test compares this with the tables of both engines;
 * another looks for what people said in all that is kept.
 */
export const columns = {
  ...transcriptColumns,
  events: {
    id: 'kept',
    agent_id: 'kept',
    key: 'code',
    occurred_at: 'time',
    conversation_id: 'id',
    completion_id: 'id',
    data: 'event_data',
    trace_id: 'id',
    span_id: 'id',
    trace_flags: 'kept',
    tracestate: 'id',
  },
  changes: {
    id: 'kept',
    transaction_id: 'kept',
    agent_id: 'kept',
    conversation_id: 'id',
    at: 'time',
    // Ids and names of fields.
    changes: 'facts',
  },
  log_epochs: {
    id: 'kept',
    transaction_id: 'kept',
    mark: 'id',
    history: 'code',
    run: 'code',
    at: 'time',
  },
  deliveries: {
    id: 'kept',
    notification_id: 'kept',
    agent_id: 'kept',
    event_id: 'kept',
    event_key: 'code',
    completion_id: 'id',
    state: 'kept',
    created_at: 'time',
    sent_at: 'time',
    finished_at: 'time',
    status: 'kept',
    failure: 'code',
    duration_ms: 'kept',
    answer: 'forgotten',
    payload: 'forgotten',
    replay_of: 'kept',
  },
  mailbox_items: {
    id: 'kept',
    mailbox_id: 'kept',
    channel_id: 'kept',
    source_id: 'id',
    platform_message_id: 'id',
    kind: 'kept',
    payload: 'forgotten',
    message_id: 'kept',
    completion_id: 'id',
    retry_key: 'id',
    reply_token: 'id',
    parts_sent: 'kept',
    attempts: 'kept',
    state: 'kept',
    due_at: 'time',
    created_at: 'time',
    finished_at: 'time',
    error: 'code',
  },
  mailboxes: {
    id: 'kept',
    channel_id: 'kept',
    agent_id: 'kept',
    // A number or name by which the platform knows the person, as in the thread's own id.
    thread: 'id',
    address: 'id',
    unsupported_at: 'time',
    conversation_id: 'id',
    writable_until: 'time',
    reply_token: 'id',
    reply_token_until: 'time',
    answers_to: 'id',
    handed_over_at: 'time',
    unseen_ms: 'kept',
    user_id: 'id',
    ...queued,
  },
  // The whole row is deleted.
  continuations: {
    mailbox_id: 'kept',
    agent_id: 'kept',
    conversation_id: 'id',
    address: 'forgotten',
    state: 'kept',
    stopped_by: 'kept',
    after_ms: 'kept',
    language: 'code',
    page_url: 'forgotten',
    mails: 'kept',
    left_at: 'time',
    used_at: 'time',
  },
  conversations: {
    id: 'id',
    agent_id: 'kept',
    team_id: 'kept',
    sequence: 'kept',
    external_id: 'id',
    // As the thread of a mailbox.
    chat: 'id',
    user_id: 'id',
    channel_id: 'kept',
    tags: 'tags',
    started_at: 'time',
    ended_at: 'time',
    agent_paused: 'kept',
    agent_paused_at: 'time',
    agent_resumed_at: 'time',
    language: 'code',
    waiting_since: 'time',
    waiting_reason: 'kept',
    assignee_id: 'kept',
    group_id: 'kept',
    widget_id: 'kept',
    priority: 'kept',
    snoozed_until: 'time',
    outcome: 'kept',
    // Somebody of the team, a rule or the service.
    outcome_by: 'facts',
    due_at: 'time',
  },
  conversation_tags: { conversation_id: 'id', name: 'tags', value: 'tags', agent_id: 'kept' },
  read_marks: { conversation_id: 'id', operator_id: 'kept', agent_id: 'kept', message_id: 'kept' },
  inbox_rows: {
    conversation_id: 'id',
    agent_id: 'kept',
    sequence: 'kept',
    state: 'kept',
    is_paused: 'kept',
    assignee_id: 'kept',
    group_id: 'kept',
    waiting_since: 'time',
    channel_id: 'kept',
    user_id: 'id',
    language: 'code',
    last_message_id: 'kept',
    last_message_at: 'time',
    priority: 'kept',
    outcome: 'kept',
    due_at: 'time',
  },
  inbox_counters: 'kept',
  inbox_group_counters: 'kept',
  support_pending: { id: 'kept', agent_id: 'kept', conversation_id: 'id' },
  support_retries: { ...queued, id: 'kept', agent_id: 'kept', conversation_id: 'id' },
  support_rows: {
    conversation_id: 'id',
    agent_id: 'kept',
    channel_id: 'kept',
    language: 'code',
    group_id: 'kept',
    operator_id: 'kept',
    tags: 'tags',
    started_at: 'time',
    waited_at: 'time',
    reason: 'kept',
    answered_at: 'time',
    answer_ms: 'kept',
    answer_open_ms: 'kept',
    ended_at: 'time',
    outcome: 'kept',
    solved_by: 'kept',
    solution_ms: 'kept',
    solution_open_ms: 'kept',
    reopened_at: 'time',
    met_at: 'time',
    missed_at: 'time',
    asked_at: 'time',
    rated_at: 'time',
    score: 'kept',
  },
  support_counts: { agent_id: 'kept', kind: 'kept', value: 'tags', day: 'time', counts: 'facts' },
  notices: {
    id: 'kept',
    agent_id: 'kept',
    operator_id: 'kept',
    kind: 'kept',
    conversation_id: 'id',
    about: 'id',
    source_id: 'kept',
    name: 'own',
    count: 'kept',
    unread: 'kept',
    on_page: 'kept',
    at: 'time',
    mailed_at: 'time',
  },
  notice_causes: 'own',
  notice_mails: 'own',
  notice_pushes: 'own',
  push_browsers: 'own',
  notice_settings: 'own',
  away_messages: { ...queued, id: 'kept', agent_id: 'kept', conversation_id: 'id', told_until: 'time' },
  snoozes: { ...queued, id: 'kept', agent_id: 'kept', conversation_id: 'id' },
  rating_requests: { conversation_id: 'id', agent_id: 'kept', message_id: 'kept', asked_at: 'time' },
  silences: { ...queued, id: 'kept', agent_id: 'kept', conversation_id: 'id', followed_up: 'kept' },
  targets: 'own',
  target_clocks: {
    ...queued,
    id: 'kept',
    agent_id: 'kept',
    conversation_id: 'id',
    target_id: 'kept',
    kind: 'kept',
    started_at: 'time',
    spent_ms: 'kept',
    since: 'time',
    ends_at: 'time',
    warned_at: 'time',
    missed_at: 'time',
    ended_at: 'time',
  },
  target_recounts: { ...queued, id: 'kept', agent_id: 'kept', reason: 'kept', after_id: 'kept' },
  unsourced_users: { agent_id: 'kept', id: 'id', due_at: 'time' },
  conversation_summaries: {
    id: 'kept',
    agent_id: 'kept',
    conversation_id: 'id',
    // `forgetSummaries` empties it when any text of the conversation is redacted, in either mode.
    content: 'forgotten',
    covered_id: 'kept',
    ...queued,
  },
  // A random number, which the first scrub deletes.
  conversation_keys: { conversation_id: 'id', agent_id: 'kept', key: 'hash' },
  macros: 'own',
  macro_runs: {
    id: 'kept',
    agent_id: 'kept',
    macro_id: 'kept',
    macro_name: 'own',
    conversation_id: 'id',
    bulk_id: 'kept',
    // Types, outcomes, ids, times, and tags that the macro itself has set.
    actions: 'facts',
    failed: 'kept',
    created_at: 'time',
    finished_at: 'time',
    undone_at: 'time',
  },
  saved_views: {
    id: 'kept',
    agent_id: 'kept',
    operator_id: 'kept',
    maker_id: 'kept',
    name: 'own',
    // It names no end user and no words that somebody said.
    query: 'facts',
    created_at: 'time',
    updated_at: 'time',
  },
  bulk_acts: {
    id: 'kept',
    agent_id: 'kept',
    team_id: 'kept',
    // The id of an operator, or tags.
    action: 'facts',
    // The search is forgotten once the conversations are gathered.
    filter: 'forgotten',
    actor: 'facts',
    state: 'kept',
    matched: 'kept',
    done: 'kept',
    changed: 'kept',
    // Numbers by reason.
    skipped: 'facts',
    undoable: 'kept',
    undone_by: 'kept',
    created_at: 'time',
    starts_at: 'time',
    finished_at: 'time',
    ...queued,
  },
  bulk_items: { bulk_id: 'kept', conversation_id: 'id' },
  idempotency_keys: {
    agent_id: 'kept',
    key: 'id',
    // A keyed hash, from which the request cannot be guessed.
    fingerprint: 'hash',
    completion_id: 'id',
    message_id: 'kept',
    created_at: 'time',
  },
  automation_jobs: {
    id: 'kept',
    agent_id: 'kept',
    completion_id: 'id',
    conversation_id: 'id',
    // Numbers, flags and the trace.
    facts: 'facts',
    // Names and states of the agent's automations.
    runs: 'facts',
    state: 'kept',
    ...queued,
    created_at: 'time',
  },
  desk_jobs: {
    id: 'kept',
    agent_id: 'kept',
    conversation_id: 'id',
    on_event: 'kept',
    happening_id: 'kept',
    rule_id: 'kept',
    cause: 'id',
    // Names and states of the agent's automations.
    runs: 'facts',
    state: 'kept',
    ...queued,
    created_at: 'time',
  },
  rule_log: {
    id: 'kept',
    agent_id: 'kept',
    rule_id: 'kept',
    conversation_id: 'id',
    completion_id: 'id',
    at: 'time',
    outcome: 'kept',
    reason: 'kept',
    // Fields and outcomes, without what was compared.
    conditions: 'facts',
    // Names and numbers, without the text that an evaluator returned.
    evaluation: 'facts',
  },
  cta_counts: { conversation_id: 'id', cta_id: 'kept', shown: 'kept', shown_at: 'time' },
  users: {
    agent_id: 'kept',
    id: 'id',
    first_seen_at: 'time',
    // `forgetProfile` empties these columns when all of a person's texts are redacted, in either mode.
    name: 'forgotten',
    attributes: 'forgotten',
    adopted: 'forgotten',
    identity: 'kept',
    given_id: 'id',
    proof: 'kept',
    blocked_at: 'time',
    person_id: 'id',
    merged_into: 'id',
    merged_at: 'time',
  },
  // The words of names and attributes, which are deleted with these.
  user_words: 'index',
  devices: { agent_id: 'kept', id: 'id', first_seen_at: 'time' },
  sessions: { agent_id: 'kept', id: 'id', first_seen_at: 'time' },
  installation: 'own',
  processes: 'own',
  write_probes: 'own',
  teams: 'own',
  agents: 'own',
  agent_versions: 'own',
  model_usage: {
    agent_id: 'kept',
    day: 'time',
    model: 'code',
    kind: 'kept',
    calls: 'kept',
    estimated: 'kept',
    prompt_tokens: 'kept',
    completion_tokens: 'kept',
  },
  usage_shards: {
    agent_id: 'kept',
    day: 'time',
    model: 'code',
    kind: 'kept',
    shard: 'kept',
    calls: 'kept',
    estimated: 'kept',
    prompt_tokens: 'kept',
    completion_tokens: 'kept',
  },
  budget_alerts: { agent_id: 'kept', period: 'time', amount: 'code', at: 'time' },
  agent_counters: { agent_id: 'kept', conversations: 'kept', last_conversation_id: 'id' },
  api_keys: 'own',
  bearer_tokens: 'own',
  rules: 'own',
  rule_evaluators: 'kept',
  quarter_counters: {
    agent_id: 'kept',
    day: 'time',
    name: 'code',
    quarter: 'kept',
    shard: 'kept',
    count: 'kept',
  },
  day_counters: {
    agent_id: 'kept',
    day: 'time',
    name: 'code',
    shard: 'kept',
    count: 'kept',
    quarters: 'facts',
  },
  recounted_counts: { agent_id: 'kept', day: 'time', name: 'code', quarter: 'kept', count: 'kept' },
  recounts: { name: 'kept', place: 'facts' },
  notifications: 'own',
  notification_keys: { agent_id: 'kept', key: 'code', notification_id: 'kept' },
  channels: 'own',
  channel_connections: 'own',
  evaluators: 'own',
  ...knowledgeColumns,
  thread_aliases: { channel_id: 'kept', alias: 'id', thread: 'id' },
  operators: 'own',
  groups: 'own',
  group_members: 'kept',
  operator_links: 'own',
  operator_sessions: 'own',
  operator_mails: 'own',
  sign_in_failures: 'own',
  // The subject is only a keyed hash of an end user.
  erasures: {
    id: 'id',
    team_id: 'kept',
    agent_id: 'kept',
    subject: 'hash',
    mode: 'kept',
    began_at: 'time',
    actor_kind: 'kept',
    actor_id: 'kept',
    erased: 'facts',
    finished_at: 'time',
    signed: 'facts',
  },
  backups: { at: 'time' },
  audit: {
    id: 'kept',
    team_id: 'kept',
    agent_id: 'kept',
    at: 'time',
    actor_kind: 'kept',
    actor_id: 'kept',
    actor_name: 'own',
    action: 'code',
    // A kind and an id.
    target: 'id',
    details: 'facts',
    // The address of one of the team's people.
    address: 'own',
  },
  replies: 'own',
  widgets: 'own',
  tools: 'own',
  // The words of messages and notes. `replaceTexts` takes out the words of redacted texts.
  search_words: 'index',
  search_pending: 'kept',
  search_blocks: 'kept',
  search_parts: {
    block_id: 'kept',
    part: 'kept',
    agent_id: 'kept',
    kind: 'kept',
    ids: 'kept',
    texts: 'kept',
    least_id: 'kept',
    most_id: 'kept',
    from_at: 'time',
    to_at: 'time',
  },
  search_backfill: 'kept',
  backfills: { name: 'code', at: 'id' },
} as const satisfies DeclaredTables

type Columns = typeof columns

/** The tables that have a text column. */
export type TextTable = {
  [Table in keyof Columns]: Extract<Columns[Table][keyof Columns[Table]], TextKindName> extends never
    ? never
    : Table
}[keyof Columns]

/** The columns of a table whose text redaction replaces. */
export type TextColumn<Table extends TextTable> = {
  [Column in keyof Columns[Table]]: Columns[Table][Column] extends TextKindName ? Column : never
}[keyof Columns[Table]]

/** Returns the text columns of a table, with the kind by which the text of each is replaced. */
export function textColumns<Table extends TextTable>(
  table: Table,
): ReadonlyMap<TextColumn<Table>, TextKindName> {
  return texts.get(table) as ReadonlyMap<TextColumn<Table>, TextKindName>
}

const texts = new Map<string, ReadonlyMap<string, TextKindName>>(
  Object.entries<string | Record<string, string>>(columns).map(([table, declared]) => [
    table,
    new Map(Object.entries(typeof declared === 'string' ? {} : declared).filter(isText)),
  ]),
)

function isText(column: [string, string]): column is [string, TextKindName] {
  return column[1] in textKinds
}

/** The tables with texts other than completions and messages. Their rows are found by their completion. */
export const asideTables = [...texts.keys()].filter(
  (table) => texts.get(table)?.size && table !== 'messages' && table !== 'completions',
) as Exclude<TextTable, 'messages' | 'completions'>[]

/** Returns the values that overwrite the columns of a table that are `forgotten`. */
export function forgotten<
  Table extends
    | 'deliveries'
    | 'mailbox_items'
    | 'drafts'
    | 'handoff_summaries'
    | 'conversation_summaries'
    | 'test_results'
    | 'knowledge_proposals',
>(table: Table): Forgotten<Table> {
  const declared = Object.entries<string>(columns[table])
  const emptied = declared.filter(([, how]) => how === 'forgotten').map(([column]) => [column, null])
  return Object.fromEntries(emptied) as Forgotten<Table>
}

type Forgotten<Table extends keyof Columns> = {
  [Column in keyof Columns[Table] as Columns[Table][Column] extends 'forgotten' ? Column : never]: null
}
