import type { Kysely } from 'kysely'
import { selectChannelNames } from '../mailboxes/channel-store.ts'
import { isPlatformKind, platforms } from '../platforms/platforms.ts'
import type { Tables } from '../storage/tables.ts'
import {
  keyCompletions,
  keyConversations,
  selectCompletionsOf,
  selectConversationsOf,
} from '../transcripts/conversations/unsourced-rows.ts'
import { insertUser, lockUser, readAttributes, selectUser, writeProfile } from '../users/known-users.ts'
import { deleteUser, markSourced, unsourcedOf } from '../users/source-store.ts'
import type { UserRow } from '../users/tables.ts'
import {
  channelOfSource,
  idOfKey,
  isAnonymous,
  type Proof,
  readUserKey,
  sourceOfConversation,
  type UserKey,
  type UserSource,
  userKey,
  userOfConversation,
} from '../users/user-key.ts'
import { wordsOf } from './profile.ts'

type Db = Kysely<Tables>

type PromptRow = Awaited<ReturnType<typeof selectCompletionsOf>>[number]

/** The number of rows that one transaction changes. */
const ROWS_AT_ONCE = 500

/**
 * Gives sources to an id that an older version has stored: makes one end user for each source that has used the id,
 * with their own conversations and completions. Does nothing for an id that has its source. Can be repeated, and be cut
 * off at any point.
 */
export async function giveSource(db: Db, agentId: number, id: string): Promise<void> {
  const old = id as UserKey
  if ((await unsourcedOf(db, agentId, [old])).size === 0) return
  const firstSeen = new Map<UserSource, string>()
  /**
   * Notes the source of a row's user, and when it was first seen; leaves out a user whose key only looks like this id.
   */
  const see = (key: UserKey, at: string) => {
    const { source, id: seen } = readUserKey(key)
    if (seen !== id) return
    const known = firstSeen.get(source)
    if (known === undefined || at < known) firstSeen.set(source, at)
  }

  await moveRows(db, old, {
    first: { sequence: 0 },
    read: (after) => selectConversationsOf(db, agentId, old, after, ROWS_AT_ONCE),
    keyOf(row) {
      const isOfApi = sourceOfConversation(row) === 'api'
      const key = isOfApi ? userKey({ source: 'api', id }) : (userOfConversation(row) ?? old)
      see(key, row.started_at)
      return key
    },
    write: (db, key, rows) =>
      keyConversations(
        db,
        rows.map((row) => row.id),
        key,
      ),
  })
  await moveRows(db, old, {
    first: { created_at: '', number: 0 },
    read: (after) => selectCompletionsOf(db, agentId, old, after, ROWS_AT_ONCE),
    keyOf(row) {
      const key = userOfPrompt(row, old)
      see(key, row.created_at)
      return key
    },
    write: (db, key, rows) =>
      keyCompletions(
        db,
        rows.map((row) => row.number),
        key,
      ),
  })

  const proofOf = await proofs(db, agentId, id, firstSeen)
  await db.transaction().execute((db) => splitUser(db, agentId, old, firstSeen, proofOf))
}

/** Rows of a table that name an end user, in an order in which each row is also a place. */
interface RowsOfUser<Place, Row extends Place> {
  first: Place
  read(after: Place): Promise<Row[]>
  keyOf(row: Row): UserKey
  write(db: Db, key: UserKey, rows: readonly Row[]): Promise<void>
}

/** Writes the keys of rows, some in each transaction. Rows that have their key already are left as they are. */
async function moveRows<Place, Row extends Place>(
  db: Db,
  old: UserKey,
  { first, read, keyOf, write }: RowsOfUser<Place, Row>,
): Promise<void> {
  for (let after: Place | undefined = first; after !== undefined; ) {
    const rows: Row[] = await read(after)
    const moved = [...Map.groupBy(rows, keyOf)].filter(([key]) => key !== old)
    if (moved.length > 0)
      await db.transaction().execute(async (db) => {
        for (const [key, ofKey] of moved) await write(db, key, ofKey)
      })
    after = rows.length < ROWS_AT_ONCE ? undefined : rows.at(-1)
  }
}

/** Returns the user of a prompt: of its channel, of its conversation if that has the same user, else of the API. */
function userOfPrompt(row: PromptRow, old: UserKey): UserKey {
  const { channel_id, conversation_channel, widget_id, conversation_user } = row
  if (channel_id !== null) return userOfConversation({ user_id: old, channel_id, widget_id: null }) ?? old
  const place = { channel_id: conversation_channel, widget_id, user_id: conversation_user }
  const user = userOfConversation(place)
  const isSame = user !== null && (user === old || idOfKey(user) === old)
  return isSame && sourceOfConversation(place) !== 'api' ? user : userKey({ source: 'api', id: old })
}

/** Returns the proof of who the users of each source are, as far as what an older version stored tells. */
async function proofs(
  db: Db,
  agentId: number,
  id: string,
  firstSeen: ReadonlyMap<UserSource, string>,
): Promise<(source: UserSource) => Proof> {
  const ids = [...firstSeen.keys()].map(channelOfSource).filter((id) => id !== null)
  const kinds = new Map((await selectChannelNames(db, agentId, ids)).map(({ id, kind }) => [id, kind]))
  return (source) => {
    if (source === 'api') return 'signed'
    if (source === 'widget') return isAnonymous({ source, id }) ? 'none' : 'signed'
    const kind = kinds.get(channelOfSource(source) ?? 0) ?? ''
    return isPlatformKind(kind) && platforms[kind].knowsUsers ? 'platform' : 'none'
  }
}

/**
 * Splits the row of an older version into one row for each source. Name and attributes stay with only one of them, so
 * that nobody gets what was noted of somebody else: a widget's user if the widget knew them, else the site's, else that
 * of the channel that saw them first.
 */
async function splitUser(
  db: Db,
  agentId: number,
  old: UserKey,
  firstSeen: ReadonlyMap<UserSource, string>,
  proofOf: (source: UserSource) => Proof,
): Promise<void> {
  const row = await lockUser(db, agentId, old)
  const isOld = row?.given_id === null
  const seen = new Map(firstSeen)
  const fallback: UserSource = isOld && row.identity !== null ? 'widget' : 'api'
  if (isOld && seen.size === 0) seen.set(fallback, row.first_seen_at)
  for (const [source, first_seen_at] of seen) {
    const key = userKey({ source, id: old })
    if (key === old) continue
    const proof = proofOf(source)
    await insertUser(db, { agent_id: agentId, id: key, given_id: old, proof, first_seen_at })
  }
  if (!isOld) return
  const [first = fallback] = [...seen].sort(([, a], [, b]) => (a < b ? -1 : 1)).map(([source]) => source)
  const owner = [fallback, 'api' as const].find((source) => seen.has(source)) ?? first
  const ownerKey = userKey({ source: owner, id: old })
  if (ownerKey !== old) await moveProfile(db, agentId, row, ownerKey)
  if (userKey({ source: 'api', id: old }) === old && seen.has('api'))
    await markSourced(db, agentId, old, proofOf('api'))
  else await deleteUser(db, agentId, old)
}

/** Moves name and attributes to another row, unless it has its own, and empties the old row. */
async function moveProfile(db: Db, agentId: number, from: UserRow, to: UserKey): Promise<void> {
  const present = await selectUser(db, agentId, to)
  const profile = {
    name: present?.name ?? from.name,
    attributes: present?.attributes ?? from.attributes,
    adopted: present?.adopted ?? null,
  }
  await writeProfile(db, agentId, to, profile, wordsOf(profile.name, readAttributes(profile.attributes)))
  await writeProfile(db, agentId, from.id, { name: null, attributes: null, adopted: null }, [])
}
