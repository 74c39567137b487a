import type { Media } from './media.ts'
import type { MessageKind } from './message-kind.ts'

/** The content of a person's message, as a message row stores it. */
export interface Said {
  kind: MessageKind
  /** The text. For a kind that is not text, the kind in brackets and the caption: `[image] the caption`. */
  text: string
  /** True if there is something to answer: a text, or a caption. */
  isPrompt: boolean
  /** The earlier messages that it quotes below its text, which are no part of the prompt; absent when it quotes none. */
  quoted?: string
  /** Its files; absent when it has none. */
  media?: readonly Media[]
}

export function saidText(text: string): Said {
  return { kind: 'text', text, isPrompt: true }
}

/** @param about details from the platform, such as a file's name */
export function saidOther(kind: MessageKind, caption: string | null, about: string | null = null): Said {
  const head = about === null ? `[${kind}]` : `[${kind}: ${about}]`
  return { kind, text: caption === null ? head : `${head} ${caption}`, isPrompt: caption !== null }
}

/** Adds files to a message. @param media null: one that the platform does not say how to fetch */
export function withMedia(said: Said, media: readonly (Media | null)[]): Said {
  const known = media.filter((one) => one !== null)
  return known.length > 0 ? { ...said, media: known } : said
}

/** Combines several things that arrived as one message. The first one's kind becomes the message's. */
export function saidSeveral(
  [kind, ...more]: readonly [MessageKind, ...MessageKind[]],
  caption: string | null,
): Said {
  const others = more.map((other) => `[${other}]`)
  const said = saidOther(
    kind,
    caption === null && more.length === 0 ? null : [...others, caption ?? ''].join(' ').trim(),
  )
  return { ...said, isPrompt: caption !== null }
}

/** Describes a location by its known parts; null when nothing is known. */
export function placeText(
  names: readonly (string | null)[],
  latitude: unknown,
  longitude: unknown,
): string | null {
  const isPoint = typeof latitude === 'number' && typeof longitude === 'number'
  const parts = [...names, isPoint ? `${latitude}, ${longitude}` : null].filter((part) => part !== null)
  return parts.length > 0 ? parts.join(', ') : null
}
