import type { Selectable } from 'kysely'
import { type TextKindName, textKinds } from '../redaction/text-kinds.ts'
import type { Tables } from '../storage/tables.ts'
import type { UserKey } from '../users/user-key.ts'

/** The reasons for which a column of texts may stay: no such column holds what somebody said. */
export type KeptText =
  /** An id that the service, a caller or a platform gave, or an address to which a platform sends. */
  | 'id'
  /** A word of the service or of a standard. */
  | 'code'
  | 'time'
  /** A keyed hash, or something sealed. */
  | 'hash'
  /** The team's own: a name that it gave, or one of its people. */
  | 'own'
  /** JSON of only ids, codes, numbers and the team's own names. */
  | 'facts'
  /** Names and values by which callers classify things. */
  | 'tags'
  /** Words of texts and profiles, which are deleted with these. */
  | 'index'

/** The columns of a table that may hold any text, keys of end users included. */
type AnyText<Row> = {
  [Column in keyof Row]: UserKey extends NonNullable<Row[Column]> ? Column : never
}[keyof Row]

/**
 * The treatment of each column of a row by redaction. A column that may hold any text says why it stays; if it may not
 * stay, its text is replaced as its kind says, or it is emptied.
 */
type Declared<Row> = {
  [Column in keyof Row]: Column extends AnyText<Row> ? KeptText | TextKindName | 'forgotten' : 'kept'
}

/**
 * The treatment of a whole table. It may be `kept` if no column of it holds any text, and the team's own if it tells of
 * no conversation.
 */
type DeclaredWhole<Row> =
  | ([AnyText<Row>] extends [never] ? 'kept' : never)
  | 'index'
  | (Extract<keyof Row, 'conversation_id' | 'completion_id' | 'message_id' | 'user_id'> extends never
      ? 'own'
      : never)

/** The columns of a table that is a queue. */
const queued = {
  attempts: 'kept',
  due_at: 'time',
  deaths: 'kept',
  parked_at: 'time',
  failure: 'code',
  lease: 'kept',
  leased_until: 'time',
  holder: 'id',
} as const

/**
 * The treatment of each column of every table by redaction. A column that is missing here does not compile, nor does
 * one that may hold any text and does not say why it is kept. A test compares this with the tables of both engines;
 * another looks for what people said in all that is kept.
 */
export const columns = {
  messages: {
    id: 'kept',
    agent_id: 'kept',
    conversation_id: 'id',
    completion_id: 'id',
    role: 'kept',
    content: 'content',
    tool_calls: 'tool_calls',
    tool_call_id: 'call_id',
    author: 'name',
    created_at: 'time',
    redacted: 'kept',
    shown_as: 'content',
    kind: 'code',
    delivery: 'kept',
    delivery_reason: 'code',
    withheld: 'kept',
    operator_id: 'kept',
    round: 'kept',
    attachments: 'attachments',
    template: 'template',
    quoted: 'text',
    mailed_to: 'text',
    mailed_at: 'time',
  },
  files: {
    id: 'id',
    agent_id: 'kept',
    conversation_id: 'id',
    message_id: 'kept',
    // The name of a file that is not sent yet. Such a file is deleted after a day.
    attachment: 'forgotten',
    // Words of the protocol, such as a media type.
    form: 'code',
    preview_bytes: 'kept',
    visitor: 'hash',
    // The row is deleted with the bytes of the file.
    digest: 'forgotten',
    place: 'code',
    remove_at: 'time',
  },
  // The bytes of files, which are deleted with their files.
  file_pieces: 'index',
  file_fetches: {
    ...queued,
    id: 'kept',
    agent_id: 'kept',
    channel_id: 'kept',
    conversation_id: 'id',
    message_id: 'kept',
    file_id: 'id',
    // The address of a file may hold its name. The row is deleted with the bytes of the file.
    media: 'forgotten',
  },
  tool_calls: {
    id: 'kept',
    agent_id: 'kept',
    completion_id: 'id',
    // The message holds the call itself.
    message_id: 'kept',
    position: 'kept',
    idempotent: 'kept',
    state: 'kept',
  },
  completions: {
    number: 'kept',
    id: 'id',
    agent_id: 'kept',
    conversation_id: 'id',
    channel_id: 'kept',
    user_id: 'id',
    proven_id: 'id',
    device_id: 'id',
    session_id: 'id',
    page_url: 'address',
    language: 'code',
    created_at: 'time',
    model: 'model_name',
    finish_reason: 'finish_reason',
    error_code: 'code',
    answered_at: 'time',
    agent_paused: 'kept',
    liked: 'kept',
    flagged: 'kept',
    flag_reason: 'text',
    feedback: 'text',
    score: 'kept',
    tags: 'tags',
    citations: 'citations',
    ctas: 'ctas',
    // Ids and names of the agent's automations, and how they ended.
    automations: 'facts',
    usage: 'usage',
    redacted: 'kept',
    redactions: 'kept',
    erasure_id: 'id',
    holder: 'id',
    taken_up_at: 'time',
  },
  evaluations: {
    id: 'kept',
    agent_id: 'kept',
    completion_id: 'id',
    evaluator_id: 'kept',
    evaluator_name: 'own',
    rule_id: 'kept',
    subject: 'kept',
    score: 'kept',
    passed: 'kept',
    content: 'text',
    created_at: 'time',
  },
  conversation_notes: {
    id: 'kept',
    agent_id: 'kept',
    conversation_id: 'id',
    completion_id: 'id',
    text: 'text',
    // The name of somebody of the team, or of an automation.
    author: 'own',
    operator_id: 'kept',
    mentions: 'facts',
    redacted: 'kept',
    created_at: 'time',
  },
  ratings: {
    id: 'kept',
    agent_id: 'kept',
    conversation_id: 'id',
    completion_id: 'id',
    score: 'kept',
    comment: 'text',
    redacted: 'kept',
    created_at: 'time',
  },
  drafts: {
    agent_id: 'kept',
    conversation_id: 'id',
    operator_id: 'kept',
    mode: 'kept',
    content: 'forgotten',
    suggested: 'kept',
    original: 'forgotten',
    version: 'kept',
    updated_at: 'time',
  },
  handoff_summaries: {
    id: 'kept',
    agent_id: 'kept',
    conversation_id: 'id',
    // `forgetHandoffSummaries` empties it when any text of the conversation is redacted, in either mode.
    content: 'forgotten',
    covered_id: 'kept',
    version: 'kept',
    written_at: 'time',
  },
  message_translations: {
    id: 'kept',
    agent_id: 'kept',
    conversation_id: 'id',
    message_id: 'kept',
    language: 'code',
    // `forgetTranslations` deletes the rows.
    content: 'forgotten',
    is_original: 'kept',
    created_at: 'time',
  },
  happenings: {
    id: 'kept',
    agent_id: 'kept',
    conversation_id: 'id',
    kind: 'kept',
    at: 'time',
    after_message: 'kept',
    actor_kind: 'kept',
    actor_id: 'kept',
    // The name of somebody of the team, or of a rule.
    actor_name: 'own',
    completion_id: 'id',
    note_id: 'kept',
    // Codes, ids and names of the team's own things.
    details: 'facts',
  },
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
  },
  inbox_counters: 'kept',
  away_messages: { ...queued, id: 'kept', agent_id: 'kept', conversation_id: 'id', told_until: 'time' },
  snoozes: { ...queued, id: 'kept', agent_id: 'kept', conversation_id: 'id' },
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
  saved_views: {
    id: 'kept',
    agent_id: 'kept',
    operator_id: 'kept',
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
    // What was searched for is forgotten once the conversations are gathered.
    filter: 'forgotten',
    actor: 'facts',
    state: 'kept',
    matched: 'kept',
    done: 'kept',
    changed: 'kept',
    // Numbers by reason.
    skipped: 'facts',
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
    // `forgetProfile` empties both columns when all of a person's texts are redacted, in either mode.
    name: 'forgotten',
    attributes: 'forgotten',
    identity: 'kept',
    given_id: 'id',
    proof: 'kept',
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
  notifications: 'own',
  notification_keys: { agent_id: 'kept', key: 'code', notification_id: 'kept' },
  channels: 'own',
  channel_connections: 'own',
  evaluators: 'own',
  knowledge_documents: 'own',
  knowledge_texts: 'own',
  knowledge_passages: 'own',
  knowledge_words: 'own',
  knowledge_vocabulary: 'own',
  knowledge_totals: 'kept',
  knowledge_hidden: 'own',
  knowledge_failures: 'own',
  knowledge_vectors: 'own',
  knowledge_embeddings: 'own',
  knowledge_calibrations: 'own',
  knowledge_imports: 'own',
  knowledge_pages: 'own',
  unanswered_questions: {
    id: 'kept',
    agent_id: 'kept',
    // Keyed hashes, from which the words cannot be guessed.
    words_hash: 'hash',
    words: 'hash',
    count: 'kept',
    others: 'kept',
    no_passage: 'kept',
    uncited: 'kept',
    disliked: 'kept',
    handed_off: 'kept',
    first_asked_at: 'time',
    last_asked_at: 'time',
    conversation_id: 'id',
    completion_id: 'id',
  },
  unanswered_notes: {
    id: 'kept',
    agent_id: 'kept',
    question_id: 'kept',
    conversation_id: 'id',
    completion_id: 'id',
    reasons: 'kept',
    asked_at: 'time',
  },
  knowledge_proposals: {
    id: 'kept',
    agent_id: 'kept',
    conversation_id: 'id',
    completion_id: 'id',
    // `forgetProposals` deletes the row when any text of the conversation is redacted, in either mode.
    question: 'forgotten',
    answer: 'forgotten',
    questions: 'forgotten',
    document_id: 'kept',
    created_at: 'time',
    updated_at: 'time',
    ...queued,
  },
  datasets: 'own',
  dataset_cases: {
    id: 'kept',
    agent_id: 'kept',
    dataset_id: 'kept',
    completion_id: 'id',
    // Names and values of the agent's tags, without what anybody said.
    tags: 'tags',
    created_at: 'time',
    updated_at: 'time',
  },
  case_texts: {
    id: 'kept',
    agent_id: 'kept',
    case_id: 'kept',
    result_id: 'kept',
    completion_id: 'id',
    position: 'kept',
    part: 'kept',
    content: 'content',
  },
  test_runs: 'own',
  test_results: {
    id: 'kept',
    agent_id: 'kept',
    run_id: 'kept',
    case_id: 'kept',
    repeat: 'kept',
    first_id: 'kept',
    tags: 'tags',
    state: 'kept',
    model: 'code',
    // What was said in a test whose case has texts of the completion.
    said: 'forgotten',
    dialogue: 'forgotten',
    measured: 'facts',
    ms: 'kept',
  },
  thread_aliases: { channel_id: 'kept', alias: 'id', thread: 'id' },
  operators: 'own',
  groups: 'own',
  group_members: 'kept',
  operator_links: 'own',
  operator_sessions: 'own',
  operator_mails: 'own',
  sign_in_failures: 'own',
  // Of an end user only a keyed hash.
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
} as const satisfies {
  [Table in keyof Tables]: Declared<Selectable<Tables[Table]>> | DeclaredWhole<Selectable<Tables[Table]>>
}

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
