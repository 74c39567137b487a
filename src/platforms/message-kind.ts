/** What a person can send, across all platforms. */
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
  /** What the platform does not pass on, or what is none of these. */
  'other',
] as const

export type MessageKind = (typeof messageKinds)[number]
