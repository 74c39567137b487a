/** The priorities of a conversation, the most urgent first. */
export const priorities = ['urgent', 'high', 'normal', 'low'] as const

export type Priority = (typeof priorities)[number]

/** Returns what rows hold for a priority: its place in the list, from 1. */
export function rankOf(priority: Priority): number {
  return priorities.indexOf(priority) + 1
}

/** The rank of a conversation whose priority nobody has set. */
export const NORMAL = rankOf('normal')

/** Returns the priority that a row holds. */
export function priorityOf({ priority }: { priority: number }): Priority {
  return priorities[priority - 1] ?? 'normal'
}
