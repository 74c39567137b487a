import type { Kysely } from 'kysely'
import { type ParamOf, prepared } from '../storage/prepared.ts'
import type { ConversationRow, Tables } from '../storage/tables.ts'

/** Where a conversation takes place, as rules ask about it. */
export interface Place {
  channelId: number | null
  /** The channel's kind. */
  platform: string | null
  startedBy: 'api' | 'channel'
  tags: Record<string, unknown>
}

/** The external id of a chat on a platform: the conversation is found by it. */
export function externalIdOf({ kind, id }: { kind: string; id: number }, thread: string): string {
  return `${kind}:${id}:${thread}`
}

const selectPlace = prepared((db, param: ParamOf<{ id: string }>) =>
  db.selectFrom('conversations').select(['channel_id', 'external_id', 'tags']).where('id', '=', param('id')),
)

/** Reads where a conversation takes place. */
export async function readPlace(db: Kysely<Tables>, conversationId: string): Promise<Place> {
  const [row] = await selectPlace(db, { id: conversationId })
  if (!row) throw new Error('a conversation that is asked about does not exist')
  return placeOf(row)
}

export function placeOf({
  channel_id: channelId,
  external_id,
  tags,
}: Pick<ConversationRow, 'channel_id' | 'external_id' | 'tags'>): Place {
  return {
    channelId,
    platform: channelId === null ? null : (external_id?.split(':')[0] ?? null),
    startedBy: channelId === null ? 'api' : 'channel',
    tags: tags === null ? {} : (JSON.parse(tags) as Record<string, unknown>),
  }
}
