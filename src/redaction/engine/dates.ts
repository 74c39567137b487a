import { step } from './step.ts'

/** A date with its year, in digits. */
const DATE =
  /(?:(?:19|20)\d\d([-./])(?:0?[1-9]|1[0-2])\1(?:0?[1-9]|[12]\d|3[01])|(?:0?[1-9]|[12]\d|3[01])([-./])(?:0?[1-9]|[12]\d|3[01])\2(?:19|20)\d\d|(?:0?[1-9]|[12]\d|3[01])\/(?:0?[1-9]|[12]\d|3[01])\/\d\d)(?!\d)/y

/** Tells whether a date in digits begins at a place. */
export function beginsDate(text: string, at: number): boolean {
  return step(DATE, text, at) > at
}

/** Returns the end of a code without the date that follows it after a space; the start if the code itself is a date. */
export function endBeforeDate(text: string, start: number, end: number): number {
  if (beginsDate(text, start)) return start
  for (let at = start; at < end; at++) if (text.charCodeAt(at) === 32 && beginsDate(text, at + 1)) return at
  return end
}
