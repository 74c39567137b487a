import { channelSource, isAnonymous, type Proof, type UserKey, userKey } from './user-key.ts'

/** An end user who writes, as sure as it is who that is. */
export interface Writer {
  key: UserKey
  proof: Proof
  /** The id that is proven, by which tools act for them; null: none is. */
  provenId: string | null
}

/** Somebody whom a request with a key and a token names. */
export function writerOfApi(id: string): Writer {
  return { key: userKey({ source: 'api', id }), proof: 'signed', provenId: id }
}

/** Somebody at a widget: a user whose id the site has signed, or a visitor. */
export function writerOfWidget(id: string): Writer {
  const sourced = { source: 'widget', id } as const
  const isSigned = !isAnonymous(sourced)
  return { key: userKey(sourced), proof: isSigned ? 'signed' : 'none', provenId: isSigned ? id : null }
}

/** Somebody who writes through a channel. */
export function writerOfChannel(
  channelId: number,
  id: string,
  { proof, provenId }: Pick<Writer, 'proof' | 'provenId'>,
): Writer {
  return { key: userKey({ source: channelSource(channelId), id }), proof, provenId }
}
