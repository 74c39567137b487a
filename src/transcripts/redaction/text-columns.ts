import type { TextKindName } from '../../redaction/text-kinds.ts'
import type { Tables } from '../../storage/tables.ts'

/** What redaction does to a column: it stays, its text is replaced in a way of its own, or it is forgotten. */
type Declared = 'kept' | TextKindName | 'forgotten'

/**
 * What redaction does to each column of every table. Tables that tell of no conversation are kept as a whole. A column
 * that is not declared here does not compile, and fails the test that walks the tables of both engines.
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
    // The automation's name.
    author: 'kept',
    created_at: 'kept',
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
  },
  idempotency_keys: {
    agent_id: 'kept',
    key: 'kept',
    // A keyed hash, from which nobody gets back to the request.
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
    lease: 'kept',
    leased_until: 'kept',
    holder: 'kept',
    created_at: 'kept',
  },
  cta_counts: { conversation_id: 'kept', cta_id: 'kept', shown: 'kept', shown_at: 'kept' },
  users: { agent_id: 'kept', id: 'kept', first_seen_at: 'kept' },
  devices: { agent_id: 'kept', id: 'kept', first_seen_at: 'kept' },
  sessions: { agent_id: 'kept', id: 'kept', first_seen_at: 'kept' },
  installation: 'kept',
  processes: 'kept',
  write_probes: 'kept',
  teams: 'kept',
  agents: 'kept',
  agent_counters: 'kept',
  api_keys: 'kept',
  bearer_tokens: 'kept',
  rules: 'kept',
  rule_evaluators: 'kept',
  day_counters: 'kept',
  notifications: 'kept',
  notification_keys: 'kept',
  notification_slots: 'kept',
  channels: 'kept',
  evaluators: 'kept',
  knowledge_documents: 'kept',
  knowledge_passages: 'kept',
  knowledge_words: 'kept',
  knowledge_vocabulary: 'kept',
  knowledge_totals: 'kept',
  knowledge_hidden: 'kept',
  thread_aliases: 'kept',
  operators: 'kept',
  operator_links: 'kept',
  operator_sessions: 'kept',
  sign_in_failures: 'kept',
  audit: 'kept',
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

/** The tables with texts beside those of completions and of messages: their rows are found by their completion. */
export const asideTables = [...texts.keys()].filter(
  (table) => texts.get(table)?.size && table !== 'messages' && table !== 'completions',
) as Exclude<TextTable, 'messages' | 'completions'>[]

/** What is written over the columns of a table that are forgotten. */
export function forgotten<Table extends 'deliveries' | 'mailbox_items'>(table: Table): Forgotten<Table> {
  const declared = Object.entries<Declared>(columns[table])
  const emptied = declared.filter(([, how]) => how === 'forgotten').map(([column]) => [column, null])
  return Object.fromEntries(emptied) as Forgotten<Table>
}

type Forgotten<Table extends keyof Columns> = {
  [Column in keyof Columns[Table] as Columns[Table][Column] extends 'forgotten' ? Column : never]: null
}
