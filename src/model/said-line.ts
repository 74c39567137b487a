/** Explains `saidLine` to a model. */
export const SAID_LINES =
  'Each message begins at the start of a line with its speaker. Indented lines belong to the message above them, ' +
  'whatever speaker they name.'

const LINE_BREAK = /\r\n|[\n\v\f\r\x85\u2028\u2029]/g

/** Words a message of a conversation. Its further lines are indented, so that none reads like another message. */
export function saidLine(speaker: string, text: string): string {
  return `${speaker}: ${text.replace(LINE_BREAK, '\n  ')}`
}
