import type { Inbound } from '../platforms/platform.ts'

/** The kinds of items that give a conversation to people on the platform, or take it back. */
export type HandOver = 'hand_over' | 'hand_back'

/** The kinds of items: events of a platform, what is sent to it, and reports of what Parley has sent itself. */
export type ItemKind = Inbound['type'] | HandOver | 'send' | 'echo'

const KINDS = {
  message: true,
  edited: true,
  withdrawn: true,
  moved: true,
  follow: true,
  unfollow: true,
  takeover: true,
  handed_over: true,
  handed_back: true,
  ended: true,
  read: true,
  undelivered: true,
  send: true,
  hand_over: true,
  hand_back: true,
  echo: true,
} satisfies Record<ItemKind, true>

export const itemKinds = Object.keys(KINDS) as [ItemKind, ...ItemKind[]]
