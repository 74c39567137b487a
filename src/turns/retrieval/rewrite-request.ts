import { languageName } from '../../language/language-name.ts'
import { bordered } from '../../model/bordered.ts'
import type { ModelMessage } from '../../model/model.ts'
import { saidLine } from '../../model/said-line.ts'
import { textOfContent } from '../../model/text-of-content.ts'
import { MOST_QUERIES, rewriteTask } from '../prompt/wording.ts'
import type { AskedQuestion } from './gains-by-rewrite.ts'

/** The last messages of the conversation that the model reads, and the characters of each and of the question. */
const MESSAGES_READ = 4
const LONGEST_MESSAGE = 600
const LONGEST_QUESTION = 2000
/** The most titles of documents that the model reads. */
export const TITLES_READ = 15
const LONGEST_TITLE = 80
const LONGEST_QUERY = 200

/** Builds the request for queries. @param languages those of the documents, the most frequent first */
export function rewriteRequest(
  { question, before }: AskedQuestion,
  [language]: readonly string[],
  titles: readonly string[],
): ModelMessage[] {
  const said = before
    .filter(({ role }) => role === 'user' || role === 'assistant')
    .map(({ role, content }) => lineOf(role, textOfContent(content), LONGEST_MESSAGE))
    .filter((line) => line !== null)
    .slice(-MESSAGES_READ)
  const conversation = [...said, lineOf('user', question, LONGEST_QUESTION)].join('\n')
  const named = titles.map((title) => title.slice(0, LONGEST_TITLE).toWellFormed()).join('\n')
  const task = rewriteTask(language === undefined ? null : languageName(language, 'en'))
  return [
    { role: 'system', content: task },
    {
      role: 'user',
      content: [bordered('titles', named), bordered('conversation', conversation)].join('\n\n'),
    },
  ]
}

/** Words a message by its beginning; null: it has no text. */
function lineOf(role: string, text: string, longest: number): string | null {
  const begin = text.trim().slice(0, longest).toWellFormed()
  return begin === '' ? null : saidLine(role === 'user' ? 'User' : 'Assistant', begin)
}

/** Reads the queries of an answer, whatever marks a list has. */
export function queriesIn(text: string): string[] {
  const lines = text.split('\n').map((line) =>
    line
      .replace(/^\s*(?:[-*•]|\d{1,2}[.)])\s+/, '')
      .replace(/^["'“„«`\s]+|["'”“»`\s]+$/g, '')
      .slice(0, LONGEST_QUERY)
      .toWellFormed(),
  )
  return [...new Set(lines)].filter((line) => /\p{L}|\p{N}/u.test(line)).slice(0, MOST_QUERIES)
}
