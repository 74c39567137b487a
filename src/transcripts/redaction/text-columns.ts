import type { TextKindName } from '../../redaction/text-kinds.ts'
import type { Tables } from '../../storage/tables.ts'

/** What redaction does to a column: it stays, its text is replaced as its kind says, or it is emptied. */
type Declared = 'kept' | TextKindName | 'forgotten'

/**
 * What redaction does to each column of every table. Tables that hold nothing of conversations are kept as a whole. A
 * column that is missing here does not compile, and fails a test that compares this with the tables of both engines.
 */
export const columns = {
  messages: {
    id: 'kept',
    agent_id: 'kept',
    conversation_id: 'kept',
    completion_id: 'kept',
    role: 'kept',
    content: 'content',
    tool_calls: 'tool_calls',
    tool_call_id: 'call_id',
    author: 'name',
    created_at: 'kept',
    redacted: 'kept',
    shown_as: 'content',
    kind: 'kept',
    delivery: 'kept',
    // One of a few codes.
    delivery_reason: 'kept',
    withheld: 'kept',
    operator_id: 'kept',
    round: 'kept',
  },
  tool_calls: {
    id: 'kept',
    agent_id: 'kept',
    completion_id: 'kept',
    // The call itself stands in this message.
    message_id: 'kept',
    position: 'kept',
    idempotent: 'kept',
    state: 'kept',
  },
  completions: {
    number: 'kept',
    id: 'kept',
    agent_id: 'kept',
    conversation_id: 'kept',
    channel_id: 'kept',
    user_id: 'kept',
    device_id: 'kept',
    session_id: 'kept',
    page_url: 'address',
    language: 'kept',
    created_at: 'kept',
    model: 'model_name',
    finish_reason: 'finish_reason',
    error_code: 'kept',
    answered_at: 'kept',
    agent_paused: 'kept',
    liked: 'kept',
    flagged: 'kept',
    flag_reason: 'text',
    feedback: 'text',
    score: 'kept',
    tags: 'kept',
    citations: 'citations',
    ctas: 'ctas',
    // Ids and names of the agent's automations, and how they ended.
    automations: 'kept',
    usage: 'usage',
    redacted: 'kept',
    redactions: 'kept',
    holder: 'kept',
    taken_up_at: 'kept',
  },
  evaluations: {
    id: 'kept',
    agent_id: 'kept',
    completion_id: 'kept',
    evaluator_id: 'kept',
    evaluator_name: 'kept',
    rule_id: 'kept',
    subject: 'kept',
    score: 'kept',
    passed: 'kept',
    content: 'text',
    created_at: 'kept',
  },
  conversation_notes: {
    id: 'kept',
    agent_id: 'kept',
    conversation_id: 'kept',
    completion_id: 'kept',
    text: 'text',
    // The name of somebody of the team, or of an automation.
    author: 'kept',
    operator_id: 'kept',
    mentions: 'kept',
    redacted: 'kept',
    created_at: 'kept',
  },
  ratings: {
    id: 'kept',
    agent_id: 'kept',
    conversation_id: 'kept',
    completion_id: 'kept',
    score: 'kept',
    comment: 'text',
    redacted: 'kept',
    created_at: 'kept',
  },
  drafts: {
    agent_id: 'kept',
    conversation_id: 'kept',
    operator_id: 'kept',
    mode: 'kept',
    content: 'forgotten',
    version: 'kept',
    updated_at: 'kept',
  },
  happenings: {
    id: 'kept',
    agent_id: 'kept',
    conversation_id: 'kept',
    kind: 'kept',
    at: 'kept',
    after_message: 'kept',
    actor_kind: 'kept',
    actor_id: 'kept',
    // The name of somebody of the team, or of a rule.
    actor_name: 'kept',
    completion_id: 'kept',
    note_id: 'kept',
    // Codes, ids and names of the team's own things.
    details: 'kept',
  },
  events: {
    id: 'kept',
    agent_id: 'kept',
    key: 'kept',
    occurred_at: 'kept',
    conversation_id: 'kept',
    completion_id: 'kept',
    data: 'event_data',
    trace_id: 'kept',
    span_id: 'kept',
    trace_flags: 'kept',
    tracestate: 'kept',
  },
  changes: {
    id: 'kept',
    transaction_id: 'kept',
    agent_id: 'kept',
    conversation_id: 'kept',
    at: 'kept',
    // Ids and names of fields.
    changes: 'kept',
  },
  deliveries: {
    id: 'kept',
    notification_id: 'kept',
    agent_id: 'kept',
    event_id: 'kept',
    event_key: 'kept',
    completion_id: 'kept',
    state: 'kept',
    created_at: 'kept',
    sent_at: 'kept',
    finished_at: 'kept',
    status: 'kept',
    failure: 'kept',
    duration_ms: 'kept',
    answer: 'forgotten',
    payload: 'forgotten',
    replay_of: 'kept',
  },
  mailbox_items: {
    id: 'kept',
    mailbox_id: 'kept',
    channel_id: 'kept',
    source_id: 'kept',
    platform_message_id: 'kept',
    kind: 'kept',
    payload: 'forgotten',
    message_id: 'kept',
    completion_id: 'kept',
    retry_key: 'kept',
    reply_token: 'kept',
    parts_sent: 'kept',
    attempts: 'kept',
    state: 'kept',
    due_at: 'kept',
    created_at: 'kept',
    finished_at: 'kept',
    error: 'kept',
  },
  mailboxes: {
    id: 'kept',
    channel_id: 'kept',
    agent_id: 'kept',
    // Like the thread's own id, a number or name that the platform knows the person by.
    thread: 'kept',
    address: 'kept',
    unsupported_at: 'kept',
    conversation_id: 'kept',
    writable_until: 'kept',
    reply_token: 'kept',
    reply_token_until: 'kept',
    handed_over_at: 'kept',
    due_at: 'kept',
    lease: 'kept',
    leased_until: 'kept',
    holder: 'kept',
  },
  conversations: {
    id: 'kept',
    agent_id: 'kept',
    team_id: 'kept',
    sequence: 'kept',
    external_id: 'kept',
    user_id: 'kept',
    channel_id: 'kept',
    tags: 'kept',
    started_at: 'kept',
    ended_at: 'kept',
    agent_paused: 'kept',
    agent_paused_at: 'kept',
    agent_resumed_at: 'kept',
    language: 'kept',
    waiting_since: 'kept',
    waiting_reason: 'kept',
    assignee_id: 'kept',
    widget_id: 'kept',
  },
  conversation_tags: { conversation_id: 'kept', name: 'kept', value: 'kept', agent_id: 'kept' },
  read_marks: { conversation_id: 'kept', operator_id: 'kept', agent_id: 'kept', message_id: 'kept' },
  inbox_rows: {
    conversation_id: 'kept',
    agent_id: 'kept',
    sequence: 'kept',
    state: 'kept',
    is_paused: 'kept',
    assignee_id: 'kept',
    waiting_since: 'kept',
    channel_id: 'kept',
    user_id: 'kept',
    language: 'kept',
    last_message_id: 'kept',
    last_message_at: 'kept',
  },
  inbox_counters: 'kept',
  conversation_summaries: {
    id: 'kept',
    agent_id: 'kept',
    conversation_id: 'kept',
    // With the redaction of any text of the conversation, in either mode: `forgetSummaries`.
    content: 'forgotten',
    covered_id: 'kept',
    attempts: 'kept',
    due_at: 'kept',
    lease: 'kept',
    leased_until: 'kept',
    holder: 'kept',
  },
  bulk_acts: 'kept',
  bulk_items: { bulk_id: 'kept', conversation_id: 'kept' },
  idempotency_keys: {
    agent_id: 'kept',
    key: 'kept',
    // A keyed hash, from which the request cannot be guessed.
    fingerprint: 'kept',
    completion_id: 'kept',
    created_at: 'kept',
  },
  automation_jobs: {
    id: 'kept',
    agent_id: 'kept',
    completion_id: 'kept',
    conversation_id: 'kept',
    // Numbers, flags and the trace.
    facts: 'kept',
    // Names and states of the agent's automations.
    runs: 'kept',
    state: 'kept',
    attempts: 'kept',
    due_at: 'kept',
    lease: 'kept',
    leased_until: 'kept',
    holder: 'kept',
    created_at: 'kept',
  },
  rule_log: {
    id: 'kept',
    agent_id: 'kept',
    rule_id: 'kept',
    conversation_id: 'kept',
    completion_id: 'kept',
    at: 'kept',
    outcome: 'kept',
    reason: 'kept',
    // Fields and outcomes, without what was compared.
    conditions: 'kept',
    // Names and numbers, without the text that an evaluator returned.
    evaluation: 'kept',
  },
  cta_counts: { conversation_id: 'kept', cta_id: 'kept', shown: 'kept', shown_at: 'kept' },
  users: {
    agent_id: 'kept',
    id: 'kept',
    first_seen_at: 'kept',
    // With the redaction of all of a person's texts, in either mode: `forgetProfile`.
    name: 'forgotten',
    attributes: 'forgotten',
    identity: 'kept',
  },
  // The words of the two, which go with them.
  user_words: 'kept',
  devices: { agent_id: 'kept', id: 'kept', first_seen_at: 'kept' },
  sessions: { agent_id: 'kept', id: 'kept', first_seen_at: 'kept' },
  installation: 'kept',
  processes: 'kept',
  write_probes: 'kept',
  teams: 'kept',
  agents: 'kept',
  agent_versions: 'kept',
  model_usage: 'kept',
  budget_alerts: 'kept',
  agent_counters: 'kept',
  api_keys: 'kept',
  bearer_tokens: 'kept',
  rules: 'kept',
  rule_evaluators: 'kept',
  quarter_counters: 'kept',
  day_counters: 'kept',
  notifications: 'kept',
  notification_keys: 'kept',
  channels: 'kept',
  evaluators: 'kept',
  knowledge_documents: 'kept',
  knowledge_texts: 'kept',
  knowledge_passages: 'kept',
  knowledge_words: 'kept',
  knowledge_vocabulary: 'kept',
  knowledge_totals: 'kept',
  knowledge_hidden: 'kept',
  knowledge_failures: 'kept',
  knowledge_vectors: 'kept',
  knowledge_embeddings: 'kept',
  knowledge_calibrations: 'kept',
  knowledge_imports: 'kept',
  knowledge_pages: 'kept',
  unanswered_questions: {
    id: 'kept',
    agent_id: 'kept',
    // A keyed hash, from which the words cannot be guessed.
    words_hash: 'kept',
    count: 'kept',
    first_asked_at: 'kept',
    last_asked_at: 'kept',
    conversation_id: 'kept',
    completion_id: 'kept',
  },
  datasets: 'kept',
  dataset_cases: {
    id: 'kept',
    agent_id: 'kept',
    dataset_id: 'kept',
    completion_id: 'kept',
    // Names and values of the agent's tags, without what anybody said.
    tags: 'kept',
    created_at: 'kept',
    updated_at: 'kept',
  },
  case_texts: {
    id: 'kept',
    agent_id: 'kept',
    case_id: 'kept',
    result_id: 'kept',
    completion_id: 'kept',
    position: 'kept',
    part: 'kept',
    content: 'content',
  },
  test_runs: 'kept',
  test_results: {
    id: 'kept',
    agent_id: 'kept',
    run_id: 'kept',
    case_id: 'kept',
    tags: 'kept',
    state: 'kept',
    model: 'kept',
    // What was said in a test whose case has texts of the completion.
    said: 'forgotten',
    ms: 'kept',
  },
  thread_aliases: 'kept',
  operators: 'kept',
  operator_links: 'kept',
  operator_sessions: 'kept',
  operator_mails: 'kept',
  sign_in_failures: 'kept',
  audit: 'kept',
  replies: 'kept',
  widgets: 'kept',
  tools: 'kept',
  // The words of messages and notes. `replaceTexts` takes out those of what is redacted.
  search_words: 'kept',
  search_pending: 'kept',
  search_blocks: 'kept',
  search_parts: 'kept',
  search_backfill: 'kept',
} as const satisfies { [Table in keyof Tables]: 'kept' | { [Column in keyof Tables[Table]]: Declared } }

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

/** How the text of each text column of a table is replaced. */
export function textColumns<Table extends TextTable>(
  table: Table,
): ReadonlyMap<TextColumn<Table>, TextKindName> {
  return texts.get(table) as ReadonlyMap<TextColumn<Table>, TextKindName>
}

const texts = new Map<string, ReadonlyMap<string, TextKindName>>(
  Object.entries<'kept' | Record<string, Declared>>(columns).map(([table, declared]) => [
    table,
    new Map(Object.entries(declared === 'kept' ? {} : declared).filter(isText)),
  ]),
)

function isText(column: [string, Declared]): column is [string, TextKindName] {
  return column[1] !== 'kept' && column[1] !== 'forgotten'
}

/** The tables with texts other than completions and messages. Their rows are found by their completion. */
export const asideTables = [...texts.keys()].filter(
  (table) => texts.get(table)?.size && table !== 'messages' && table !== 'completions',
) as Exclude<TextTable, 'messages' | 'completions'>[]

/** The values that overwrite the columns of a table that are `forgotten`. */
export function forgotten<
  Table extends 'deliveries' | 'mailbox_items' | 'drafts' | 'conversation_summaries' | 'test_results',
>(table: Table): Forgotten<Table> {
  const declared = Object.entries<Declared>(columns[table])
  const emptied = declared.filter(([, how]) => how === 'forgotten').map(([column]) => [column, null])
  return Object.fromEntries(emptied) as Forgotten<Table>
}

type Forgotten<Table extends keyof Columns> = {
  [Column in keyof Columns[Table] as Columns[Table][Column] extends 'forgotten' ? Column : never]: null
}
