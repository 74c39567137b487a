import type { Kysely } from 'kysely'
import type { Tables } from '../../storage/tables.ts'
import type { Owner } from '../conversations/find-conversation.ts'
import type { InboxQuery, InboxReader } from './inbox-query.ts'
import { readInbox } from './read-inbox.ts'

const MOST = 50_000
const PER_PAGE = 1000

export interface Matching {
  open: number
  ended: number
  /** True when more may match than were counted. */
  isCapped: boolean
}

/** Counts the conversations of a view that match its filters. @param reader as for `readInbox` */
export async function countInbox(
  db: Kysely<Tables>,
  owner: Owner,
  reader: InboxReader | null,
  query: InboxQuery,
): Promise<Matching> {
  let [open, ended] = [0, 0]
  let cursor: string | undefined
  do {
    const { rows, nextCursor } = await readInbox(db, owner, reader, query, { per_page: PER_PAGE, cursor })
    const endedHere = rows.filter(({ state }) => state === 2).length
    ended += endedHere
    open += rows.length - endedHere
    cursor = nextCursor ?? undefined
  } while (cursor !== undefined && open + ended < MOST)
  return { open, ended, isCapped: cursor !== undefined }
}
