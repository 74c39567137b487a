import type { Kysely } from 'kysely'
import { isPlatformKind, kindsOf, platforms } from '../../platforms/platforms.ts'
import { type ParamOf, prepared } from '../../storage/prepared.ts'
import type { Tables } from '../../storage/tables.ts'
import { idOfKey, type UserKey } from '../../users/user-key.ts'
import type { CompletionRow, ConversationRow } from '../tables.ts'

/** The origin of a prompt, and what is known of its conversation, for rules that ask about it. */
export interface PromptOrigin {
  /** The channel that the prompt came through; null: the API, also in a channel's conversation. */
  channelId: number | null
  /** The channel's kind. */
  platform: string | null
  /** The name of where the prompt came through: API, widget, or that of the platform. */
  channel: string
  /** True if several people take part: what is said there to one of them, all can read. */
  isGroup: boolean
  startedBy: 'api' | 'channel'
  tags: Record<string, unknown>
  /** The language of the conversation's last prompt whose language could be determined. */
  language: string | null
}

/** Returns the external id of the conversation of a chat on a platform. */
export function externalIdOf({ kind, id }: { kind: string; id: number }, thread: string): string {
  return `${kind}:${id}:${thread}`
}

/** Tells whether an external id has the form of those of chats on platforms. */
export function isExternalIdOfChat(externalId: string): boolean {
  const [, kind] = /^([a-z-]+):\d+:/.exec(externalId) ?? []
  return kindsOf().some((one) => one === kind)
}

const selectConversation = prepared((db, param: ParamOf<{ id: string }>) =>
  db
    .selectFrom('conversations')
    .select(['channel_id', 'widget_id', 'external_id', 'chat', 'tags', 'language'])
    .where('id', '=', param('id')),
)

/** Reads the origin of a completion's prompt. */
export async function readPromptOrigin(
  db: Kysely<Tables>,
  {
    conversation_id: id,
    channel_id,
    user_id,
  }: Pick<CompletionRow, 'conversation_id' | 'channel_id' | 'user_id'>,
): Promise<PromptOrigin> {
  const [row] = await selectConversation(db, { id })
  if (!row) throw new Error('a conversation that is asked about does not exist')
  return promptOrigin(row, channel_id, user_id)
}

/**
 * Returns the origin of a prompt.
 * @param channelId the channel that it came through
 * @param writer the end user who wrote it
 */
export function promptOrigin(
  conversation: Pick<
    ConversationRow,
    'channel_id' | 'widget_id' | 'external_id' | 'chat' | 'tags' | 'language'
  >,
  channelId: number | null,
  writer: UserKey | null,
): PromptOrigin {
  const { channel_id, widget_id, external_id, tags, language } = conversation
  const chat = conversation.chat ?? external_id
  const kind = channelId === null ? null : (chat?.split(':')[0] ?? null)
  const platform = kind !== null && isPlatformKind(kind) ? platforms[kind] : null
  return {
    channelId,
    platform: kind,
    channel: platform?.title ?? (widget_id === null ? 'API' : 'widget'),
    // A messenger names a chat of two by the other person.
    isGroup:
      platform?.knowsUsers === true &&
      chat !== externalIdOf({ kind: platform.kind, id: channelId ?? 0 }, idOfKey(writer) ?? ''),
    startedBy: channel_id === null ? 'api' : 'channel',
    tags: tags === null ? {} : (JSON.parse(tags) as Record<string, unknown>),
    language,
  }
}
