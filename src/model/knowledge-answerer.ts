import { accepts, smallTalk, type TalkKind } from '../language/small-talk.ts'
import { asksForPerson } from './asks-for-person.ts'
import { asksByName, closeEntries } from './close-entries.ts'
import { composeAnswer, composeChoice, composeHelp } from './compose-answer.ts'
import type { Findings, Reply } from './findings.ts'
import type {
  MessageContent,
  Model,
  ModelMessage,
  ModelPiece,
  ModelRequest,
  Retrieval,
  Usage,
} from './model.ts'
import { languageOfTalk, type OwnSentences, type Phrases, phrases } from './phrases/phrases.ts'
import {
  askedBefore,
  bestInContext,
  type KnowledgeSearch,
  searchInContext,
  verdictOf,
} from './search-in-context.ts'

/**
 * Answers only from an agent's own documents: with the part that fits the question best and its source, with the
 * pages that may help, or with a plain sentence that it does not know. Offers a person where it does not know. Needs no
 * model server. Ignores request parameters of language models (tools, response_format, temperature).
 * @param listTitles titles of documents, shown to a newcomer who asks what there is to ask
 * @param needed the confidence that the best passage needs; null: the threshold measured on the documents
 * @param own sentences in place of the answerer's usual ones
 */
export function knowledgeAnswerer(
  search: KnowledgeSearch,
  listTitles: () => Promise<string[]> = async () => [],
  needed: number | null = null,
  own: OwnSentences = {},
): Model {
  async function answer({ messages }: ModelRequest): Promise<Reply & { retrieval: Retrieval }> {
    const { asked, question } = questionIn(messages)
    const talk = smallTalk(question)
    const say = phrases(languageOfTalk(question, asked, own), own)
    const unsearched = { citations: [], retrieval: { score: 0, answered: true } }
    if (asksForPerson(messages, own)) return { ...unsearched, text: say.person }
    // 👎 disapproves of the answer.
    if (talk?.kind === 'refusal' && talk.languages.length === 0) return { ...unsearched, text: say.offer }
    if (talk) return { ...unsearched, text: await replyTo(talk.kind, say, listTitles) }
    // "Yes" accepts nothing here.
    if (accepts(question)) return { ...unsearched, text: say.okay }
    const findings = await findFor(search, asked, question, needed)
    const score = Math.min(1, findings.passages[0]?.coverage ?? 0)
    const verdict = verdictOf(findings, needed)
    if (verdict !== 'answer') {
      const reply =
        verdict === 'may_help' ? composeHelp(findings, say.help) : { text: say.unknown, citations: [] }
      const text = `${reply.text}\n\n${say.offer}`
      return { ...reply, text, retrieval: { score, answered: false } }
    }
    const best = { ...findings, passages: findings.passages.slice(0, ANSWERING) }
    const reply = composeAnswer(best)
    const close = closeEntries(best, needed ?? findings.threshold)
    // A second passage that answers the rest of the question is not another meaning of it.
    const isChoice =
      close.length > 1 && reply.citations.length === 1 && !close.some((one) => asksByName(question, one))
    return {
      ...(isChoice ? composeChoice(best, close, say.meant) : reply),
      retrieval: { score, answered: true },
    }
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
      for (const pieces of inPieces(text)) {
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

/**
 * Finds the passages from which the answerer makes its answer to messages, for people who examine the answer.
 * @param needed as of `knowledgeAnswerer`
 */
export async function passagesForAnswer(
  search: KnowledgeSearch,
  messages: readonly ModelMessage[],
  needed: number | null,
): Promise<Pick<Findings, 'passages' | 'onlyWords'>> {
  const { asked, question } = questionIn(messages)
  if (smallTalk(question) || accepts(question)) return { passages: [] }
  const findings = await findFor(search, asked, question, needed)
  return { ...findings, passages: findings.passages.slice(0, ANSWERING) }
}

/** Searches for the last question of a conversation. @param asked all that the user wrote */
async function findFor(
  search: KnowledgeSearch,
  asked: readonly string[],
  question: string,
  needed: number | null,
): Promise<Findings> {
  const found = await searchInContext(search, question, askedBefore(asked.slice(0, -1)))
  return bestInContext(found, question, needed)
}

/** Answers small talk. */
async function replyTo(kind: TalkKind, say: Phrases, listTitles: () => Promise<string[]>): Promise<string> {
  switch (kind) {
    case 'wish':
      return say.person
    case 'nature':
      return `${say.robot}\n\n${say.offer}`
    case 'well_being':
      return say.fine
    case 'thanks':
      return say.welcome
    case 'goodbye':
      return say.bye
    case 'acknowledgement':
    case 'refusal':
      return say.okay
    case 'greeting':
    case 'introduction':
      return say.introduce(await listTitles(), kind === 'greeting')
  }
}

/** The number of best passages of which an answer is made. */
const ANSWERING = 5

/** The most characters of a question that are read: cutting more into words would hold up every other request. */
const LONGEST_QUESTION = 10_000

/** Returns all that the user wrote, and the question in it. */
function questionIn(messages: readonly ModelMessage[]): { asked: string[]; question: string } {
  const asked = userTexts(messages)
  return { asked, question: (asked.at(-1) ?? '').slice(0, LONGEST_QUESTION) }
}

function userTexts(messages: readonly ModelMessage[]): string[] {
  return messages.filter(({ role }) => role === 'user').map(({ content }) => textOf(content).trim())
}

function textOf(content: MessageContent): string {
  if (typeof content === 'string') return content
  return (content ?? []).map(({ text }) => (typeof text === 'string' ? text : '')).join('\n')
}

const PIECES_AT_ONCE = 16

/** Splits a text into pieces of about one word each. */
function* inPieces(text: string): Generator<ModelPiece[]> {
  const words = text.match(/\s*\S{1,16}/gu) ?? []
  for (let from = 0; from < words.length; from += PIECES_AT_ONCE) {
    yield words.slice(from, from + PIECES_AT_ONCE).map((content, at) => ({
      delta: from + at === 0 ? { role: 'assistant', content } : { content },
      finish_reason: null,
      usage: null,
    }))
  }
}

/** An estimate of four characters per token, as is usual: nothing here counts tokens. */
function usageOf({ messages }: ModelRequest, answer: string): Usage {
  const characters = messages.reduce((sum, { content }) => sum + textOf(content).length, 0)
  const prompt_tokens = Math.ceil(characters / 4)
  const completion_tokens = Math.ceil(answer.length / 4)
  return { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens }
}
