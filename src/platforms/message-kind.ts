/** The kinds of messages that a person can send, across all platforms. */
export const messageKinds = [
  'text',
  'image',
  'voice',
  'video',
  'file',
  'location',
  'contact',
  'sticker',
  'reaction',
  /** Content that the platform does not pass on, or that is none of these. */
  'other',
] as const

export type MessageKind = (typeof messageKinds)[number]
