import type { TimelineLine } from '../../../api/types.ts'

/** A stretch of a conversation: what is shown of it, oldest first, and whether there is more on either side. */
export interface Stretch {
  lines: readonly TimelineLine[]
  hasOlder: boolean
  hasNewer: boolean
}

/** At most so many lines are held and drawn; what is far from the reader is let go of, and read again on the way back. */
export const MOST_LINES = 300

/** Joins what was read to a stretch. A line that is in both is taken as it was read last. */
export function join(stretch: Stretch, read: readonly TimelineLine[]): Stretch {
  const byCursor = new Map(stretch.lines.map((line) => [line.cursor, line]))
  for (const line of read) byCursor.set(line.cursor, line)
  return { ...stretch, lines: [...byCursor.values()].sort(inOrder) }
}

/** Keeps as many lines as may be held, at one end of the stretch. */
export function trim(stretch: Stretch, end: 'older' | 'newer'): Stretch {
  const { lines } = stretch
  if (lines.length <= MOST_LINES) return stretch
  return end === 'newer'
    ? { ...stretch, lines: lines.slice(-MOST_LINES), hasOlder: true }
    : { ...stretch, lines: lines.slice(0, MOST_LINES), hasNewer: true }
}

/** The newest message that a reader of these lines has seen; null: there is none. */
export function lastMessageId(lines: readonly TimelineLine[]): number | null {
  const last = lines.findLast((line) => line.type === 'message')
  return last?.type === 'message' ? last.message.id : null
}

function inOrder(a: TimelineLine, b: TimelineLine): number {
  const [messageA = 0, happeningA = 0] = a.cursor.split('.').map(Number)
  const [messageB = 0, happeningB = 0] = b.cursor.split('.').map(Number)
  return messageA - messageB || happeningA - happeningB
}
