import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { TestAgent, TestAnswer } from './app.ts'

/** A block of code in a page. */
export interface Example {
  page: string
  /** The line where it begins, counted from 1. */
  line: number
  language: string
  text: string
}

/** Returns the blocks of code in a page, in order, without the indentation of a list. */
export function examplesOf(page: string): Example[] {
  const text = readFileSync(page, 'utf8')
  return [...text.matchAll(/^( *)```(.*)\n([\s\S]*?)^ *```$/gm)].map((match) => {
    const [, indent = '', language = '', code = ''] = match
    const line = text.slice(0, match.index).split('\n').length
    return { page, line, language, text: code.replaceAll(new RegExp(`^${indent}`, 'gm'), '') }
  })
}

/** Returns the texts between backticks in the sentences of a page. */
export function inlineCodeOf(page: string): string[] {
  const text = readFileSync(page, 'utf8').replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)
}

/** Returns the texts of a page's examples in a language, in order. */
export function examplesIn(page: string, language: string): string[] {
  return examplesOf(page)
    .filter((example) => example.language === language)
    .map(({ text }) => text)
}

/**
 * Asserts that an answer is as a page shows it: the same fields everywhere, of the same kinds, and the same truth
 * values. Ids, times, numbers and words may differ, and null may stand for something not known yet.
 */
export function assertShownAs(shown: unknown, actual: unknown, at = 'answer'): void {
  if (shown === null || actual === null) return
  assert.equal(Array.isArray(actual), Array.isArray(shown), at)
  assert.equal(typeof actual, typeof shown, at)
  if (typeof shown === 'boolean') assert.equal(actual, shown, at)
  if (typeof shown !== 'object') return
  if (!Array.isArray(shown))
    assert.deepEqual(Object.keys(actual as object).toSorted(), Object.keys(shown).toSorted(), at)
  for (const [key, value] of Object.entries(shown))
    assertShownAs(value, (actual as Record<string, unknown>)[key], `${at}.${key}`)
}

/** Returns the only one of a guide's examples that contains a word. */
export function exampleIn(guide: string, language: string, word: string): string {
  const found = examplesIn(guide, language).filter((example) => example.includes(word))
  assert.equal(found.length, 1, `${guide} has ${found.length} examples with ${word}`)
  return found[0] as string
}

/** Returns the body of the only call in a guide that contains a word. */
export function bodyIn(guide: string, word: string): string {
  return exampleIn(guide, 'http', word).replace(/^.*\n\n/, '')
}

/**
 * Makes the call of a `curl` command in a guide, in the name of an agent.
 * @param replaced the replacements, by the texts in the command
 */
export async function runCurl(
  agent: TestAgent,
  command: string,
  replaced: Record<string, string> = {},
): Promise<TestAnswer> {
  const [, path] = /(?:\$PARLEY|http:\/\/127\.0\.0\.1:8080)\/api\/v1(\/\S*)/.exec(command) ?? []
  assert.ok(path, command)
  for (const header of ['x-api-key: $API_KEY', 'authorization: Bearer $BEARER_TOKEN'])
    assert.ok(command.includes(`-H "${header}"`), `${header} in ${command}`)
  const [, body] = /-d '([^']*)'/.exec(command) ?? []
  const [, method = body === undefined ? 'GET' : 'POST'] = /-X (\w+)/.exec(command) ?? []
  return agent.call(method, path, body === undefined ? undefined : replaceAll(body, replaced))
}

export function replaceAll(text: string, replaced: Record<string, string>): string {
  return Object.entries(replaced).reduce((left, [from, to]) => left.replaceAll(from, to), text)
}
