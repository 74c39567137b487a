import type { Occasion } from '../../agents/occasion.ts'
import { timeInWords } from '../../lib/time-zone.ts'
import { cleanName, onOneLine } from '../../model/as-data.ts'
import { bordered } from '../../model/bordered.ts'
import { USER } from './wording.ts'

/** The most characters of what is known of a user that a model is told. */
const MOST_KNOWN = 2000

/** Words what stays the same in a conversation: where it takes place, and with whom. */
export function wordPlace({ channel, customer }: Occasion): string[] {
  const name = cleanName(customer?.name ?? '')
  const known = [
    ...(name === '' ? [] : [`name: ${name}`]),
    ...Array.from(customer?.attributes ?? [], ([name, value]) => `${onOneLine(name)}: ${onOneLine(value)}`),
  ].join('\n')
  const user = known.slice(0, MOST_KNOWN).toWellFormed()
  return [`Channel: ${channel}.`, ...(user === '' ? [] : [`${USER}\n${bordered('user', user)}`])]
}

/** Words the time, which changes with each prompt. */
export function wordNow({ now }: Occasion, timeZone: string): string {
  return `Now: ${timeInWords(now, timeZone, 'en-GB')}, ${timeZone}.`
}
