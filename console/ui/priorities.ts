import type { TFunction } from 'i18next'
import { type Priority, priorities } from '../../src/transcripts/conversations/priority.ts'

/** Tells whether a value names a priority. */
export function isPriority(value: unknown): value is Priority {
  return priorities.some((one) => one === value)
}

/** Returns the choices of a field for a priority. */
export function priorityChoices(t: TFunction): { value: Priority; label: string }[] {
  return priorities.map((value) => ({ value, label: t(`inbox.priorities.${value}`) }))
}
