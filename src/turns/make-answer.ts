import type { RetrievedContext } from '../knowledge/search/retrieve-context.ts'
import { smallTalk } from '../language/small-talk.ts'
import { timestamp } from '../lib/clock.ts'
import { asksForText } from '../model/asks-for-text.ts'
import { citeMarked, citeNothing, type MarkedCitations } from '../model/cite-marked.ts'
import { type ModelAnswer, ModelError } from '../model/model.ts'
import { neverSilent } from '../model/never-silent.ts'
import { onlyOffered } from '../model/only-offered.ts'
import { answerInRounds } from './answer/answer-in-rounds.ts'
import { onlyBatch } from './answer/answer-stream.ts'
import type { AnswerDependencies, Answering, Made, Said } from './answer/answering.ts'
import { askModel } from './answer/ask-model.ts'
import { guardAnswer } from './answer/guard-answer.ts'
import { saidWithoutModel } from './answer/said-without-model.ts'
import { joinedParameters } from './joined-parameters.ts'
import { answererPrompt, modelPrompt, promptOfRound } from './prompt/model-prompt.ts'
import { wordFindings } from './prompt/word-passages.ts'
import { questionOf } from './prompt-text.ts'
import { type DocumentSearch, documentSearch } from './retrieval/document-search.ts'
import { findContext } from './retrieval/find-context.ts'
import { gapsOfAnswer } from './retrieval/gaps-of-answer.ts'

/**
 * Makes the answer to a prompt, outside of any transaction: the agent's documents are searched, the model is asked, and
 * guardrails look at what it says.
 * @param replacement what the model reads in place of what the user wrote; null: what the user wrote
 * @param promptParameters request fields that go through to the model server
 * @throws ModelError, AbortError
 */
export async function makeAnswer(
  dependencies: AnswerDependencies,
  answering: Answering,
  replacement: string | null,
  promptParameters: Record<string, unknown>,
): Promise<Made> {
  const { turn, named, stream, asksForPerson } = answering
  const parameters = joinedParameters(turn.agent.settings.model.parameters, promptParameters)
  const { context, marked, search, passages } = await readDocuments(
    dependencies,
    answering,
    replacement,
    parameters,
  )
  if (marked) stream?.cite(marked)
  const tools = named.isBuiltIn || asksForPerson ? null : await answering.toolsFor(search?.tool ?? null)
  const ofTurn = named.isBuiltIn
    ? answererPrompt(turn, replacement)
    : modelPrompt(turn, { passages, replacement })
  const prompt = asksForPerson && !named.isBuiltIn ? promptOfRound(ofTurn, 'asked for a person', []) : ofTurn
  const asked = { prompt, parameters, marked }
  const { said, isCut } = tools
    ? await answerInRounds(dependencies, answering, asked, tools)
    : await orSayPersonComes(answering, () =>
        askModel(dependencies, inWords(answering, parameters), asked, stream),
      )
  const saidAt = timestamp(dependencies.clock())
  // Guardrails have seen each piece of a stream, which is cited already.
  const answer = stream ? said : await inOnePiece(answering, said, marked)
  const fits = context && (context.fits || (search?.fits() ?? false))
  return {
    answer,
    gaps: asksForPerson ? [] : gapsOfAnswer(turn, answer, { fits, canCite: marked !== null, tools }),
    retrievalScore: context ? Math.max(context.score, search?.score() ?? 0) : (said.retrieval?.score ?? 0),
    saidAt,
    isCut: !named.isBuiltIn && (turn.history.isCut || isCut),
    isSpent: false,
  }
}

/** The share of an agent's documents in an answer. */
interface FromDocuments {
  context: RetrievedContext | null
  /** Reads which passages an answer names; null: it names none. */
  marked: MarkedCitations | null
  /** Searches further for the model; null: it may not. */
  search: DocumentSearch | null
  /** The passages as the model is told them. */
  passages: string[]
}

const NOTHING: FromDocuments = { context: null, marked: null, search: null, passages: [] }

/**
 * Finds the passages from which a model can answer. The built-in answerer searches by itself; small talk and the wish
 * for a person need none: numbers in an answer to these, as in earlier answers, stand for no passage.
 */
async function readDocuments(
  dependencies: AnswerDependencies,
  answering: Answering,
  replacement: string | null,
  parameters: Record<string, unknown>,
): Promise<FromDocuments> {
  const { turn, named, signal, asksForPerson } = answering
  if (named.isBuiltIn) return NOTHING
  const context = asksForPerson ? null : await findContext(dependencies, turn, replacement, signal)
  // Programs read JSON answers. These stay as the model wrote them, and name no passages.
  const namesPassages = asksForText(parameters)
  if (!context) {
    const needsNone = asksForPerson || smallTalk(questionOf([...turn.history.messages, ...turn.messages]))
    return { ...NOTHING, marked: needsNone && namesPassages ? citeNothing() : null }
  }
  const marked = namesPassages ? citeMarked(context.citations) : null
  const code = dependencies.borderOf(turn.conversationId)
  const search = marked && documentSearch(dependencies, answering, { context, parameters, marked, code })
  return { context, marked, search, passages: wordFindings(context, code, marked !== null, search !== null) }
}

/**
 * Makes a model call no tool that the request does not offer, and give a sentence in place of nothing, in the language
 * of the question. Programs that read JSON get no sentence.
 */
function inWords(answering: Answering, parameters: Record<string, unknown>): Answering {
  const { named, turn, asksForPerson } = answering
  const offered = onlyOffered(named.model)
  const model = asksForText(parameters)
    ? neverSilent(offered, () => saidWithoutModel(turn, asksForPerson))
    : offered
  return { ...answering, named: { ...named, model } }
}

/** Answers that a person was asked for when the model fails before it has said anything. */
async function orSayPersonComes(answering: Answering, ask: () => Promise<Said>): Promise<Said> {
  const { turn, named, stream, signal, asksForPerson } = answering
  try {
    return await ask()
  } catch (error) {
    if (!asksForPerson || !(error instanceof ModelError) || signal.aborted || stream?.hasLeft()) throw error
    const content = saidWithoutModel(turn, asksForPerson)
    const last = { finish_reason: 'stop', usage: null, citations: [], model: named.name }
    const said = stream
      ? await stream.follow(onlyBatch([{ ...last, delta: { role: 'assistant', content } }]))
      : { ...last, content, tool_calls: [], refusal: null }
    return { said, isCut: false }
  }
}

/** Lets guardrails look at an answer in one piece, and adds the passages that it marks as used. */
async function inOnePiece(
  { rules }: Answering,
  said: ModelAnswer,
  marked: MarkedCitations | null,
): Promise<ModelAnswer> {
  const answer = rules?.guardsResponse ? await guardAnswer(rules, said) : said
  if (!marked) return answer
  const content = marked.in(answer.content)
  return { ...answer, content, citations: [...marked.used(), ...answer.citations] }
}
