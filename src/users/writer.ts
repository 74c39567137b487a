import { channelSource, isAnonymous, type Proof, type UserKey, userKey } from './user-key.ts'

/** An end user who writes, with the proof of who they are. */
export interface Writer {
  key: UserKey
  proof: Proof
  /** The proven id, by which tools act for the user; null: none is proven. */
  provenId: string | null
  /** The name that the source gives; null: none. */
  name: string | null
}

/** Returns the user whom a request with a key and a token names. */
export function writerOfApi(id: string): Writer {
  return { key: userKey({ source: 'api', id }), proof: 'signed', provenId: id, name: null }
}

/** Returns somebody at a widget: a user whose id the site has signed, or a visitor. */
export function writerOfWidget(id: string, name: string | null): Writer {
  const sourced = { source: 'widget', id } as const
  const isSigned = !isAnonymous(sourced)
  return { key: userKey(sourced), proof: isSigned ? 'signed' : 'none', provenId: isSigned ? id : null, name }
}

/** Returns somebody who writes through a channel. */
export function writerOfChannel(
  channelId: number,
  id: string,
  { proof, provenId }: Pick<Writer, 'proof' | 'provenId'>,
): Writer {
  return { key: userKey({ source: channelSource(channelId), id }), proof, provenId, name: null }
}
