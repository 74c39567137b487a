import { type Kysely, type RawBuilder, sql } from 'kysely'
import { ApiError } from '../errors.ts'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import type { Tables } from '../storage/tables.ts'
import { wake } from '../storage/waking-db.ts'
import { lockMailboxOf } from './post.ts'
import { lockMailbox, setDue } from './store.ts'
import type { ContinuationRow } from './tables.ts'
import { MAILBOXES } from './topics.ts'

type Db = Kysely<Tables>

export const selectContinuation = prepared((db, param: ParamOf<{ mailbox_id: number }>) =>
  db.selectFrom('continuations').selectAll().where('mailbox_id', '=', param('mailbox_id')),
)

/** Selects, to use in a query, the address to which the unseen answers of a conversation go. */
export function addressOfConversation(db: Pick<Db, 'selectFrom'>, conversation: string) {
  return db
    .selectFrom('continuations')
    .select('address')
    .where('state', '!=', 'stopped')
    .where('continuations.conversation_id', '=', sql.ref<string>(conversation))
    .orderBy('left_at', 'desc')
    .limit(1)
}

/** Selects, to use in a query, the address that was left last in a conversation, whatever became of it. */
export function lastAddressOf(db: Pick<Db, 'selectFrom'>, conversation: string) {
  return db
    .selectFrom('continuations')
    .select('address')
    .where('continuations.conversation_id', '=', sql.ref<string>(conversation))
    .orderBy('left_at', 'desc')
    .limit(1)
}

/** An address that the visitor of a widget leaves, and the chat in which the conversation then goes on. */
interface LeftAddress
  extends Pick<ContinuationRow, 'agent_id' | 'conversation_id' | 'address' | 'language' | 'page_url'> {
  channelId: number
  /** The name of the chat on its channel. */
  thread: string
  /** The key of the visitor. */
  userId: string
  afterMs: number
}

/**
 * Has a conversation go on at an address, within a transaction. An earlier address of the conversation gets nothing
 * more. Messages so far count as seen, because the visitor is present.
 * @throws ApiError address_refused when as many mails as allowed went to addresses that have not answered, or the
 *   address has begun a conversation of its own in this chat
 */
export async function continueAt(db: Db, left: LeftAddress, now: string): Promise<void> {
  const { agent_id, conversation_id, address, channelId, thread, userId, afterMs } = left
  const [before] = await lockMailboxOf(db, { conversation_id })
  if (before) await dropWaiting(db, before.id, Number.MAX_SAFE_INTEGER, now)
  await db
    .updateTable('mailboxes')
    .set({ conversation_id: null, unseen_ms: null })
    .where('conversation_id', '=', conversation_id)
    .execute()
  const bound = { conversation_id, unseen_ms: afterMs, user_id: userId }
  const mailbox = await db
    .insertInto('mailboxes')
    .values({ channel_id: channelId, agent_id, thread, writable_until: now, ...bound })
    .onConflict((conflict) =>
      conflict
        .columns(['channel_id', 'thread'])
        .doUpdateSet(bound)
        // A reply after the address was replaced has begun a conversation that needs the mailbox.
        .where('mailboxes.conversation_id', 'is', null),
    )
    .returning('id')
    .executeTakeFirst()
  if (!mailbox) throw new ApiError('address_refused')
  const mailbox_id = mailbox.id
  await db
    .updateTable('continuations')
    .set({ state: 'stopped', stopped_by: 'withdrawn' })
    .where('conversation_id', '=', conversation_id)
    .where('mailbox_id', '!=', mailbox_id)
    .where('state', '!=', 'stopped')
    .execute()
  const { language, page_url } = left
  const row = {
    conversation_id,
    address,
    language,
    page_url,
    stopped_by: null,
    after_ms: afterMs,
    left_at: now,
    used_at: now,
  }
  const continuation = await db
    .insertInto('continuations')
    .values({ mailbox_id, agent_id, state: 'unconfirmed', ...row })
    .onConflict((conflict) =>
      conflict.column('mailbox_id').doUpdateSet({
        ...row,
        state: sql`case when continuations.state = 'confirmed' then 'confirmed' else 'unconfirmed' end`,
      }),
    )
    .returning(['state', 'conversation_id'])
    .executeTakeFirstOrThrow()
  if (!(await mayMail(db, continuation))) throw new ApiError('address_refused')
}

/** The most mails of a conversation to addresses that have not answered: somebody else may have typed them. */
const MOST_UNCONFIRMED = 3

/** Tells whether another mail may go to an address. */
export async function mayMail(
  db: Db,
  { state, conversation_id }: Pick<ContinuationRow, 'state' | 'conversation_id'>,
): Promise<boolean> {
  if (state !== 'unconfirmed') return state === 'confirmed'
  const { mails } = await db
    .selectFrom('continuations')
    .select(({ fn }) => fn.sum<number | string>('mails').as('mails'))
    .where('conversation_id', '=', conversation_id)
    .executeTakeFirstOrThrow()
  return Number(mails) < MOST_UNCONFIRMED
}

/**
 * Counts the conversations that are reasons not to mail an address: those since a time in which the address was left
 * but has not answered, those since then in which the visitor left any unanswered address, and those in which the
 * address unsubscribed or bounced.
 * @param except the id of a conversation in which it may be left again
 */
export async function countAgainst(
  db: Db,
  { agent_id, address, userId }: Pick<LeftAddress, 'agent_id' | 'address' | 'userId'>,
  since: string,
  except: string,
): Promise<{ ofAddress: number; ofVisitor: number; stopped: number }> {
  const of = db
    .selectFrom('continuations')
    .select(({ fn }) => fn.count<number | string>('continuations.conversation_id').distinct().as('count'))
    .where('continuations.agent_id', '=', agent_id)
  const fresh = of
    .where('continuations.conversation_id', '!=', except)
    .where('state', '!=', 'confirmed')
    .where('left_at', '>', since)
  const ofMailbox = leadsTo(address)
  const ofAddress = await fresh.where(ofMailbox).executeTakeFirstOrThrow()
  const ofVisitor = await fresh
    .innerJoin('mailboxes', 'mailboxes.id', 'mailbox_id')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  const stopped = await of
    .where((where) =>
      where.or([
        where.and([ofMailbox, where('stopped_by', '=', 'unsubscribed')]),
        where.and([where('address', '=', address), where('stopped_by', '=', 'bounced')]),
      ]),
    )
    .executeTakeFirstOrThrow()
  return {
    ofAddress: Number(ofAddress.count),
    ofVisitor: Number(ofVisitor.count),
    stopped: Number(stopped.count),
  }
}

/** Returns the condition that an address reaches the same mailbox as another, as `anna+1@…` and `anna@…` do. */
function leadsTo(address: string): RawBuilder<boolean> {
  const at = address.lastIndexOf('@')
  const name = address.slice(0, at).split('+')[0] as string
  const domain = address.slice(at)
  const stored = sql.ref('continuations.address')
  return sql<boolean>`(${stored} = ${name + domain}
    or (substr(${stored}, 1, ${sql.lit(name.length + 1)}) = ${`${name}+`}
      and substr(${stored}, length(${stored}) - ${sql.lit(domain.length - 1)}) = ${domain}))`
}

/** The wait of messages before they are mailed, for a conversation whose forgotten address has written again. */
const USUAL_WAIT_MS = 5 * 60_000

/**
 * Notes that somebody has answered from the address, within a transaction that holds the lease of the mailbox. From then
 * on answers go there at once, until the visitor comes back to the widget.
 */
export async function confirmAddress(
  db: Db,
  { id: mailbox_id, agent_id, conversation_id }: { id: number; agent_id: number; conversation_id: string },
  address: string,
  now: string,
): Promise<void> {
  await db.updateTable('mailboxes').set({ unseen_ms: 0 }).where('id', '=', mailbox_id).execute()
  const confirmed = { state: 'confirmed', stopped_by: null, mails: 0, used_at: now } as const
  await db
    .insertInto('continuations')
    .values({
      mailbox_id,
      agent_id,
      conversation_id,
      address,
      left_at: now,
      ...confirmed,
      after_ms: USUAL_WAIT_MS,
      language: null,
      page_url: null,
    })
    .onConflict((conflict) => conflict.column('mailbox_id').doUpdateSet(confirmed))
    .execute()
}

/** Notes a mail that was sent, within a transaction that holds the lease of the mailbox. @param messageId its own id */
export async function noteMail(
  db: Db,
  mailboxId: number,
  messageId: string | null,
  now: string,
): Promise<void> {
  await db.updateTable('mailboxes').set({ answers_to: messageId }).where('id', '=', mailboxId).execute()
  await db
    .updateTable('continuations')
    .set({ mails: sql`case when state = 'confirmed' then mails else mails + 1 end`, used_at: now })
    .where('mailbox_id', '=', mailboxId)
    .execute()
}

/**
 * Stops all mail to the address of a chat, within a transaction. `withdrawn` never replaces another reason, which says
 * more.
 */
export async function stopContinuation(
  db: Db,
  mailboxId: number,
  by: NonNullable<ContinuationRow['stopped_by']>,
  now: string,
): Promise<void> {
  await lockMailbox(db, { id: mailboxId })
  await dropWaiting(db, mailboxId, Number.MAX_SAFE_INTEGER, now)
  await db
    .updateTable('continuations')
    .set({ state: 'stopped', stopped_by: by })
    .where('mailbox_id', '=', mailboxId)
    .where((where) =>
      where.or([
        where('state', '!=', 'stopped'),
        ...(by === 'withdrawn' ? [] : [where('stopped_by', '=', 'withdrawn')]),
      ]),
    )
    .execute()
}

/** Stops the chat by mail of a conversation, if it has one, because its visitor withdrew the address. */
export async function stopContinuationOf(db: Db, conversationId: string, now: string): Promise<void> {
  const [mailbox] = await lockMailboxOf(db, { conversation_id: conversationId })
  if (mailbox) await stopContinuation(db, mailbox.id, 'withdrawn', now)
}

/**
 * Notes that the visitor has seen a conversation up to a message, within a transaction that has locked its mailbox. What
 * waited to be seen is not sent.
 */
export async function noteSeen(db: Db, mailboxId: number, messageId: number, now: string): Promise<void> {
  await dropWaiting(db, mailboxId, messageId, now)
  await db
    .updateTable('mailboxes')
    .set(({ fn, selectFrom }) => ({
      unseen_ms: fn.coalesce(
        selectFrom('continuations')
          .select('after_ms')
          .whereRef('continuations.mailbox_id', '=', 'mailboxes.id'),
        'unseen_ms',
      ),
    }))
    .where('id', '=', mailboxId)
    .where('unseen_ms', '=', 0)
    .execute()
}

/** Removes the messages up to `upTo` that wait in a mailbox to be sent. */
async function dropWaiting(db: Db, mailboxId: number, upTo: number, now: string): Promise<void> {
  await db
    .updateTable('mailbox_items')
    .set({ state: 'done', finished_at: now })
    .where('mailbox_id', '=', mailboxId)
    .where(sql<boolean>`state in ('waiting', 'sending')`)
    .where('state', '=', 'waiting')
    .where('kind', '=', 'send')
    .where('message_id', '<=', upTo)
    .execute()
  const [row] = await setDue(db, { id: mailboxId, earliest: '', seen: 0 })
  if (row?.due_at != null) wake(db, MAILBOXES)
}

/** The continuations to forget: those of a person, or those that were not used since a time. */
type ContinuationScope = { person: readonly string[] } | { before: string }

/** Forgets addresses, within a transaction. What waited to go there is not sent. Returns their number. */
export async function forgetContinuations(
  db: Db,
  agentId: number,
  scope: ContinuationScope,
): Promise<number> {
  const ofAgent = db.deleteFrom('continuations').where('continuations.agent_id', '=', agentId)
  const { numDeletedRows } = await ('before' in scope
    ? ofAgent.where('used_at', '<', scope.before)
    : ofAgent.where('mailbox_id', 'in', (select) =>
        select
          .selectFrom('mailboxes')
          .select('id')
          .where('agent_id', '=', agentId)
          .where('user_id', 'in', scope.person),
      )
  ).executeTakeFirst()
  return Number(numDeletedRows)
}

/** Reads the addresses that a person has left, the newest first. */
export async function addressesOfUser(
  db: Db,
  agentId: number,
  keys: readonly string[],
): Promise<Pick<ContinuationRow, 'address' | 'state' | 'stopped_by' | 'conversation_id' | 'left_at'>[]> {
  return db
    .selectFrom('continuations')
    .innerJoin('mailboxes', 'mailboxes.id', 'mailbox_id')
    .select(['continuations.address', 'state', 'stopped_by', 'continuations.conversation_id', 'left_at'])
    .where('mailboxes.agent_id', '=', agentId)
    .where('mailboxes.user_id', 'in', keys)
    .orderBy('left_at', 'desc')
    .limit(10)
    .execute()
}
