/** The source of an end user's id. Ids of different sources are different people, however alike they look. */
export type UserSource = 'api' | 'widget' | `channel-${number}`

/**
 * The proof of who an end user is. `signed`: the site vouches for it, by its own request or by a signature. `platform`:
 * the messaging platform vouches for it. `none`: nobody does.
 */
export const proofs = ['none', 'signed', 'platform'] as const

export type Proof = (typeof proofs)[number]

/** An id and its source. */
export interface SourcedId {
  source: UserSource
  id: string
}

declare const isUserKey: unique symbol

/**
 * The database's key of an end user, which no other source can have: only the id for the API; `source:id` for other
 * sources, and for an id of the API that looks like one of those.
 */
export type UserKey = string & { readonly [isUserKey]: true }

const SOURCED = /^(api|widget|channel-(?:0|[1-9]\d{0,14})):(.*)$/s

/** Returns the key of an end user. */
export function userKey({ source, id }: SourcedId): UserKey {
  return (source === 'api' && !SOURCED.test(id) ? id : `${source}:${id}`) as UserKey
}

/** Returns the source and the id of a key. */
export function readUserKey(key: UserKey): SourcedId {
  return readSourcedId(key) ?? { source: 'api', id: key }
}

/** Returns the id of a key, as callers, sites and platforms know it. */
export function idOfKey(key: UserKey): string
export function idOfKey(key: UserKey | null): string | null
export function idOfKey(key: UserKey | null): string | null {
  return key === null ? null : readUserKey(key).id
}

/**
 * Returns the key under which older versions stored a user of a widget or a channel: only the id. Null for an id that
 * reads as the key of another user of the same source, `widget:alice` for example, and for users of the API.
 */
export function unsourcedKey(key: UserKey): UserKey | null {
  const { source, id } = readUserKey(key)
  const isTaken = source === 'api' || sourceOfKey(id as UserKey) === source
  return isTaken ? null : (id as UserKey)
}

/** Returns the source of a key. */
export function sourceOfKey(key: UserKey): UserSource
export function sourceOfKey(key: UserKey | null): UserSource | null
export function sourceOfKey(key: UserKey | null): UserSource | null {
  return key === null ? null : readUserKey(key).source
}

/** Returns the end user of a row, as readers see it. */
export function presentUserColumns(key: UserKey | null): {
  user_id: string | null
  user_source: string | null
} {
  return { user_id: idOfKey(key), user_source: sourceOfKey(key) }
}

/** Reads `source:id`; returns null for a text of another form. */
export function readSourcedId(text: string): SourcedId | null {
  const [, source, id] = SOURCED.exec(text) ?? []
  return source === undefined || id === undefined ? null : { source: source as UserSource, id }
}

/** Writes an id as `source:id`, which is never ambiguous. */
export function writeSourcedId({ source, id }: SourcedId): string {
  return `${source}:${id}`
}

/** Returns the source of the users of a channel. */
export function channelSource(channelId: number): UserSource {
  return `channel-${channelId}`
}

/** Returns the channel of a source; null: the source is not a channel. */
export function channelOfSource(source: UserSource): number | null {
  return source.startsWith('channel-') ? Number(source.slice('channel-'.length)) : null
}

/** Returns the source of a conversation's user. */
export function sourceOfConversation({
  channel_id,
  widget_id,
}: {
  channel_id: number | null
  widget_id: number | null
}): UserSource {
  if (channel_id !== null) return channelSource(channel_id)
  return widget_id === null ? 'api' : 'widget'
}

/**
 * Returns the key of a conversation's user. Older versions stored only the id, also for users of widgets and channels.
 */
export function userOfConversation(conversation: {
  user_id: UserKey | null
  channel_id: number | null
  widget_id: number | null
}): UserKey | null {
  const { user_id } = conversation
  const source = sourceOfConversation(conversation)
  if (user_id === null || source === 'api') return user_id
  const read = readUserKey(user_id)
  return read.source === source ? user_id : userKey({ source, id: user_id })
}

/** The prefix of the id of a visitor, whom no site has signed. */
export const VISITOR_PREFIX = 'visitor_'

/** Tells whether a widget knows only that this is the same browser as before. */
export function isAnonymous({ source, id }: SourcedId): boolean {
  return source === 'widget' && id.startsWith(VISITOR_PREFIX)
}
