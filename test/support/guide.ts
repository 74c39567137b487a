import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { TestAgent, TestAnswer } from './app.ts'

/** What stands between the fences of a language in a guide, in order; indentation of lists is taken off. */
export function examplesIn(guide: string, language: string): string[] {
  const fences = readFileSync(guide, 'utf8').matchAll(
    new RegExp(`^( *)\`\`\`${language}\\n([\\s\\S]*?)^ *\`\`\`$`, 'gm'),
  )
  return [...fences].map(([, indent = '', text = '']) => text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''))
}

/** The only one of a guide's examples that has a word in it. */
export function exampleIn(guide: string, language: string, word: string): string {
  const found = examplesIn(guide, language).filter((example) => example.includes(word))
  assert.equal(found.length, 1, `${guide} has ${found.length} examples with ${word}`)
  return found[0] as string
}

/**
 * Makes the call that a `curl` command in a guide makes, in the name of an agent.
 * @param replaced what stands for addresses of others in it
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
