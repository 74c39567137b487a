import type { TimelineLine } from '../../../api/types.ts'

/** A stretch of a conversation: the lines shown, oldest first, and whether there are more on either side. */
export interface Stretch {
  lines: readonly TimelineLine[]
  hasOlder: boolean
  hasNewer: boolean
}

/** The most lines that are held and drawn; those far from the reader are dropped, and read again on the way back. */
const MOST_LINES = 300

/** Joins newly read lines to a stretch. For a line in both, the newly read one wins. */
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

/** Returns the newest message that a reader of these lines has seen; null if there is none. */
export function lastMessageId(lines: readonly TimelineLine[]): number | null {
  const last = lines.findLast((line) => line.type === 'message')
  return last?.type === 'message' ? last.message.id : null
}

/** Tells whether a person has written one of the messages among these lines. */
export function hasPersonAnswered(lines: readonly TimelineLine[]): boolean {
  return lines.some((line) => line.type === 'message' && line.message.role === 'operator')
}

function inOrder(a: TimelineLine, b: TimelineLine): number {
  const [messageA = 0, happeningA = 0] = a.cursor.split('.').map(Number)
  const [messageB = 0, happeningB = 0] = b.cursor.split('.').map(Number)
  return messageA - messageB || happeningA - happeningB
}
