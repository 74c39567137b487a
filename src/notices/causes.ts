import type { Kysely } from 'kysely'
import { byAgent, teamOfAgent } from '../agents/team-of-agent.ts'
import type { Mention } from '../desk/notes/mentions.ts'
import { selectNotes } from '../desk/notes/store.ts'
import { membersOf } from '../groups/store.ts'
import type { Tables } from '../storage/tables.ts'
import { readOpenClock } from '../targets/store.ts'
import { type HappeningActor, readHappening } from '../transcripts/conversations/happenings.ts'
import { selectById } from '../transcripts/conversations/store.ts'
import { readMessages } from '../transcripts/doors/read-changed.ts'
import type { ConversationRow, HappeningRow, WaitingReason } from '../transcripts/tables.ts'
import { queueOf } from '../work/queue.ts'
import type { NoticeCauseRow, NoticeRow } from './tables.ts'

type Db = Kysely<Tables>

export const causeQueue = queueOf('notice_causes', byAgent)

/** The meaning of a cause, and the people whom it may concern. */
export interface NoticeSubject extends Pick<NoticeRow, 'kind' | 'about' | 'source_id' | 'name'> {
  teamId: number
  conversation: ConversationRow | null
  /** The ids of people; all: everybody who has the right. */
  people: readonly number[] | 'all'
  /** The person whose act it is. */
  byOperator: number | null
  /** The message of the user that it tells of. */
  messageId: number | null
}

/** Reads what a cause tells as things are now; null: it concerns nobody any more. */
export async function readCause(db: Db, cause: NoticeCauseRow): Promise<NoticeSubject | null> {
  if (cause.source === 'happening') return readHappened(db, cause)
  if (cause.source === 'message') return readReply(db, cause)
  if (cause.source === 'target') return readWarning(db, cause)
  return readFailure(db, cause)
}

async function readFailure(
  db: Db,
  { agent_id, source, source_id, name }: NoticeCauseRow,
): Promise<NoticeSubject | null> {
  const teamId = await teamOfAgent(db, agent_id)
  if (teamId === null) return null
  const about = `${source} ${source === 'budget' ? name : source_id}`
  const nothing = { conversation: null, source_id: null, byOperator: null, messageId: null }
  return { ...nothing, teamId, kind: 'failed', about, name, people: 'all' }
}

async function readReply(db: Db, { agent_id, source_id }: NoticeCauseRow): Promise<NoticeSubject | null> {
  const message = (await readMessages(db, [source_id])).get(source_id)
  const conversation = message && (await read(db, agent_id, message.conversation_id))
  if (!conversation || conversation.assignee_id === null) return null
  const people = [conversation.assignee_id]
  return {
    ...ofConversation(conversation, null),
    kind: 'reply',
    source_id,
    people,
    messageId: source_id,
  }
}

async function readHappened(db: Db, { agent_id, source_id }: NoticeCauseRow): Promise<NoticeSubject | null> {
  const happening = await readHappening(db, agent_id, source_id)
  const conversation = happening && (await read(db, agent_id, happening.conversation_id))
  if (!conversation) return null
  const common = ofConversation(conversation, byOf(happening))
  if (happening.kind === 'note') {
    const note = (await selectNotes(db, agent_id, [happening.note_id ?? 0])).get(happening.note_id ?? 0)
    const mentions = note?.mentions ? (JSON.parse(note.mentions) as Mention[]) : []
    if (mentions.length === 0) return null
    return { ...common, kind: 'mention', source_id: note?.id ?? null, people: mentions.map(({ id }) => id) }
  }
  if (happening.kind === 'assigned') {
    const { assignee_id } = conversation
    if (assignee_id === null || assigneeIn(happening) !== assignee_id) return null
    return { ...common, kind: 'assigned', people: [assignee_id] }
  }
  const { waiting_since, ended_at, snoozed_until, assignee_id } = conversation
  // A new reason for a wait that goes on is no news.
  const begins = waiting_since === happening.at && ended_at === null && snoozed_until === null
  // The user's message itself is a notice for the person who has the conversation.
  const isTold = assignee_id !== null && isOfMessage(happening)
  return begins && !isTold
    ? { ...common, kind: 'waiting', people: await whoMayAnswer(db, conversation) }
    : null
}

/** A target that is nearly due concerns the assignee or the group. For everybody else it would be noise. */
async function readWarning(db: Db, { agent_id, source_id }: NoticeCauseRow): Promise<NoticeSubject | null> {
  const clock = await readOpenClock(db, agent_id, source_id)
  const conversation = clock && (await read(db, agent_id, clock.conversation_id))
  if (!conversation || conversation.waiting_since === null || conversation.snoozed_until !== null) return null
  if (conversation.assignee_id === null && conversation.group_id === null) return null
  return {
    ...ofConversation(conversation, null),
    kind: 'due',
    people: await whoMayAnswer(db, conversation),
  }
}

/** Returns the people who may answer: the assignee, else the members of the group, else everybody. */
async function whoMayAnswer(
  db: Db,
  { assignee_id, group_id }: ConversationRow,
): Promise<readonly number[] | 'all'> {
  if (assignee_id !== null) return [assignee_id]
  return group_id === null ? 'all' : membersOf(db, group_id)
}

async function read(db: Db, agent_id: number, id: string): Promise<ConversationRow | undefined> {
  const [row] = await selectById(db, { agent_id, id })
  return row
}

function ofConversation(conversation: ConversationRow, by: HappeningActor | null) {
  return {
    teamId: conversation.team_id,
    conversation,
    about: conversation.id,
    source_id: null,
    name: by?.kind === 'operator' || by?.kind === 'token' ? by.name : null,
    byOperator: by?.kind === 'operator' ? by.id : null,
    messageId: null,
  }
}

function byOf({ actor_kind: kind, actor_id: id, actor_name: name }: HappeningRow): HappeningActor {
  return { kind, id, name }
}

/** Tells whether a conversation waits because of what its user wrote. */
function isOfMessage({ details, actor_kind }: HappeningRow): boolean {
  const { reason } = JSON.parse(details ?? '{}') as { reason?: WaitingReason }
  const isAct = actor_kind === 'operator' || actor_kind === 'token'
  return !isAct && (reason === 'asked' || reason === 'unanswered')
}

/** Returns the id of the person to whom a happening gives the conversation; null: to nobody, or only to a group. */
function assigneeIn({ details }: HappeningRow): number | null {
  const { operator } = JSON.parse(details ?? '{}') as { operator?: { id: number } | null }
  return operator?.id ?? null
}
