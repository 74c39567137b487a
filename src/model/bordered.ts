import { createHash, createHmac } from 'node:crypto'

/** The characters of a code: nearly 96 bits. */
const CODE_LENGTH = 16
const BEGIN = /^<result (\w{16})>\n/

/**
 * Puts a tool's result between marks with a code. Its author cannot write the end mark.
 */
export function borderedResult(text: string): string {
  return bordered('result', text)
}

/**
 * Puts a text between marks of a name.
 * @param code one that the author of the text cannot know; absent: the hash of the text, which the text cannot hold. The
 * same text then has the same marks in each request, so that a server can keep what it has read.
 */
export function bordered(name: string, text: string, code = hashOf(text)): string {
  return `<${name} ${code}>\n${text}\n</${name} ${code}>`
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, CODE_LENGTH).replaceAll('-', '_')
}

/** Returns a code for each conversation, which nobody can know without the key. */
export function borderCodes(key: string | Buffer): (conversationId: string) => string {
  return (conversationId) =>
    createHmac('sha256', key).update(conversationId).digest('hex').slice(0, CODE_LENGTH)
}

/** Cuts a text, and keeps its marks if it has any. */
export function cutWithinBorder(text: string, longest: number, note: string): string {
  const code = BEGIN.exec(text)?.[1]
  const cut = `${text.slice(0, longest).toWellFormed()}\n${note}`
  return code === undefined ? cut : `${cut}\n</result ${code}>`
}
