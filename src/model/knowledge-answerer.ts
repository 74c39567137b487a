import { indexWords } from '../lib/words.ts'
import { composeAnswer } from './compose-answer.ts'
import type {
  Citation,
  MessageContent,
  Model,
  ModelMessage,
  ModelPiece,
  ModelRequest,
  Retrieval,
  Usage,
} from './model.ts'
import { languageOfAnswer, phrases } from './phrases/phrases.ts'
import { smallTalk } from './phrases/small-talk.ts'

/** What a search of an agent's documents brought. */
export interface Findings {
  /** The words of the question and their inverse document frequencies; in no passage: `passages` 0. */
  words: { word: string; weight: number; passages: number }[]
  /** Best first. */
  passages: FoundPassage[]
}

export interface FoundPassage {
  id: number
  title: string
  url: string | null
  /** Headings above it, outermost first, parted by ` › `. */
  heading: string
  anchor: string
  /** Paragraphs parted by blank lines; code stands between fences. */
  text: string
  score: number
  /** Which share of the question, by how much its words tell, stands in the passage: 0 to 1. */
  coverage: number
  /** Coverage times the root of the score, that in terms of the rarest word there can be: alike for any number of passages. */
  confidence: number
}

export type KnowledgeSearch = (query: string) => Promise<Findings>

/**
 * Answers from an agent's own documents and from nothing else: with the part that fits the question best and where it
 * stands, or with the plain words that it does not know. It needs no model server. Request parameters of language
 * models (tools, response_format, temperature) mean nothing to it.
 * @param listTitles titles of documents, for a newcomer who asks what there is to ask
 */
export function knowledgeAnswerer(
  search: KnowledgeSearch,
  listTitles: () => Promise<string[]> = async () => [],
): Model {
  async function answer({ messages }: ModelRequest): Promise<Reply & { retrieval: Retrieval }> {
    const asked = userTexts(messages)
    const question = (asked.at(-1) ?? '').slice(0, LONGEST_QUESTION)
    const { known, ...talk } = smallTalk(question)
    const language = talk.language ?? languageOfAnswer(question, asked)
    const say = phrases(language)
    const unsearched = { citations: [], retrieval: { score: 0, answered: true } }
    if (known === 'thanks') return { ...unsearched, text: say.welcome }
    if (known) return { ...unsearched, text: say.introduce(await listTitles(), known === 'greeting') }
    const findings = await searchInContext(search, question, asked.at(-2))
    const score = Math.min(1, findings?.passages[0]?.coverage ?? 0)
    return findings && isEvidence(findings)
      ? { ...composeAnswer(findings), retrieval: { score, answered: true } }
      : { text: say.unknown, citations: [], retrieval: { score, answered: false } }
  }

  return {
    async complete(request, signal) {
      const { text, citations, retrieval } = await answer(request)
      signal.throwIfAborted()
      return {
        content: text,
        tool_calls: [],
        refusal: null,
        finish_reason: 'stop',
        usage: usageOf(request, text),
        citations,
        model: request.model,
        retrieval,
      }
    },
    async *stream(request, signal) {
      const { text, citations, retrieval } = await answer(request)
      for (const pieces of inBatches(text)) {
        signal.throwIfAborted()
        yield pieces
      }
      yield [
        {
          delta: {},
          finish_reason: 'stop',
          usage: usageOf(request, text),
          citations,
          model: request.model,
          retrieval,
        },
      ]
    },
  }
}

export interface Reply {
  text: string
  citations: Citation[]
}

/** A question is read this far: cutting what is longer into words would keep everybody else waiting. */
const LONGEST_QUESTION = 10_000

/** Below this the best passage is more often than not about something else (measured by the knowledge bench). */
const CONFIDENCE_NEEDED = 0.47

function isEvidence({ passages: [best] }: Findings): boolean {
  return best !== undefined && best.confidence >= CONFIDENCE_NEEDED
}

/** A question of so few words may lean on the one before. */
const SHORT_QUESTION = 2

/** Searches for a question, and when it is a short one after another also for both together. */
async function searchInContext(
  search: KnowledgeSearch,
  question: string,
  before: string | undefined,
): Promise<Findings | null> {
  const words = new Set(indexWords(question))
  if (words.size === 0) return null
  if (before === undefined || words.size > SHORT_QUESTION) return search(question)
  const [alone, together] = await Promise.all([search(question), search(`${question}\n${before}`)])
  const here = matched(together, words)
  return isEvidence(together) && here > 0 && here >= matched(alone, words) ? together : alone
}

/** How much of the words stands in the best passage. */
function matched({ words, passages: [best] }: Findings, asked: ReadonlySet<string>): number {
  if (!best) return 0
  const there = new Set(indexWords(`${best.title} ${best.heading} ${best.text}`))
  return words.reduce((sum, { word, weight }) => (asked.has(word) && there.has(word) ? sum + weight : sum), 0)
}

function userTexts(messages: readonly ModelMessage[]): string[] {
  return messages.filter(({ role }) => role === 'user').map(({ content }) => textOf(content).trim())
}

function textOf(content: MessageContent): string {
  if (typeof content === 'string') return content
  return (content ?? []).map(({ text }) => (typeof text === 'string' ? text : '')).join('\n')
}

const PIECES_AT_ONCE = 16

/** Pieces of about a word each. */
function* inBatches(text: string): Generator<ModelPiece[]> {
  const words = text.match(/\s*\S{1,16}/gu) ?? []
  for (let from = 0; from < words.length; from += PIECES_AT_ONCE) {
    yield words.slice(from, from + PIECES_AT_ONCE).map((content, at) => ({
      delta: from + at === 0 ? { role: 'assistant', content } : { content },
      finish_reason: null,
      usage: null,
    }))
  }
}

/** Nothing here counts tokens: four characters each, as is usual for an estimate. */
function usageOf({ messages }: ModelRequest, answer: string): Usage {
  const characters = messages.reduce((sum, { content }) => sum + textOf(content).length, 0)
  const prompt_tokens = Math.ceil(characters / 4)
  const completion_tokens = Math.ceil(answer.length / 4)
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
}
