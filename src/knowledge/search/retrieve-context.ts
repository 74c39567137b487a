import { smallTalk } from '../../language/small-talk.ts'
import { estimateTokens } from '../../model/estimate-tokens.ts'
import type { Findings, FoundPassage, ReasonForWords } from '../../model/findings.ts'
import type { Citation } from '../../model/model.ts'
import { searchInContext } from '../../model/search-in-context.ts'
import { fuse } from '../vectors/fuse.ts'
import { documentOf } from './favour-documents.ts'
import type { FindPassages, Searched } from './find-passages.ts'

/** The passages about a question from which a language model answers. */
export interface RetrievedContext {
  /** Best first; none if no passage has anything to do with the question. */
  passages: FoundPassage[]
  /** The passages as they are cited, in the same order. */
  citations: Citation[]
  /** True if a passage is likely to fit the question. */
  fits: boolean
  /** True if these are all passages of the agent. */
  isWhole: boolean
  /** The fit of the best passage, from 0 to 1. */
  score: number
  /** The reason for which only words were searched for; absent: vectors counted as well, or there are none. */
  onlyWords?: ReasonForWords
  /** The findings for the question's own words. */
  found: Findings
}

/** Queries that say what a question means, and what its own words found. */
export interface Rewritten {
  queries: readonly string[]
  found: Findings
}

/** Reads passages around others, or all of an agent. */
interface ReadPassages {
  /** Reads the other passages under the same heading that stand beside some. */
  beside: (agentId: number, ids: readonly number[]) => Promise<FoundPassage[]>
  /** Reads all passages of an agent; null: there are more than so many. */
  all: (agentId: number, most: number) => Promise<FoundPassage[] | null>
}

/** The number of passages that are searched for. */
export const FOUND = 40
/** The number of passages that are given first, whatever documents they are of. */
const FIRST = 5
/** The number of best passages whose neighbours are given as well. */
const CONTINUED = 3
/** The most passages of an agent whose model is given all of them. */
const SMALL = 40
/** The share of the agent's context that passages may fill. */
const SHARE = 1 / 4
/** The tokens of a passage's name and marks. */
const PER_PASSAGE = 40
const SNIPPET = 300

/** The share of the needed confidence from which a passage is likely to fit. */
const WELL = 0.64

/**
 * Finds what an agent's documents say about a question; null when they cannot say anything: it is small talk, or there
 * are none. All of a small collection is given. Of a larger one, as much as there is room for: what fits best, what
 * stands beside that, and the best of each further document.
 * @param before the previous question of the same person; a short question is also searched for together with it
 * @param rewritten queries count for more than the question's own words, which are not searched for again
 */
export async function retrieveContext(
  findPassages: FindPassages,
  read: ReadPassages,
  agent: Searched & { settings: { context_tokens: number } },
  question: string,
  before?: string,
  rewritten?: Rewritten,
): Promise<RetrievedContext | null> {
  const talk = smallTalk(question)
  // "No" may answer what the model asked back: then the question before counts.
  if (talk && (talk.kind !== 'refusal' || before === undefined)) return null
  const asked = rewritten?.found ?? (await findInContext(findPassages, agent, question, before))
  const {
    passages: found,
    threshold,
    onlyWords,
  } = rewritten
    ? fusedBehind(asked, fitting((await findPassages(agent, rewritten.queries, FOUND)).passages), 0)
    : asked
  const all = found.length < FOUND ? await read.all(agent.id, SMALL) : null
  if (all?.length === 0) return null
  const others =
    found.length === 0 ? [] : (all ?? (await read.beside(agent.id, idsOf(found.slice(0, CONTINUED)))))
  const passages = withinRoom([...inTurn(found, others)], agent.settings.context_tokens * SHARE)
  return {
    passages,
    citations: passages.map(citationOf),
    fits: fitWell(passages, threshold),
    isWhole: all !== null && passages.length >= all.length,
    score: scoreOf(found),
    ...(onlyWords && { onlyWords }),
    found: asked,
  }
}

/** Describes a passage as answers cite it. */
export function citationOf({ title, url, anchor, text }: FoundPassage): Citation {
  return {
    title,
    url: url === null ? null : addressOf(url, anchor),
    snippet: text.slice(0, SNIPPET).toWellFormed(),
  }
}

/** Searches for a question, and fuses what was found for it alone and together with what was asked before. */
async function findInContext(
  findPassages: FindPassages,
  agent: Searched,
  question: string,
  before: string | undefined,
): Promise<Findings> {
  const search = (query: string | readonly string[]) => findPassages(agent, query, FOUND)
  const { alone, together, hasSubject } = await searchInContext(search, question, before)
  const found = together ? fusedBehind(alone, together.passages, hasSubject ? 1 : 0) : alone
  return { ...found, passages: fitting(found.passages) }
}

/** Fuses the findings for a question with the passages for a better one. @param lead the weight of the findings */
function fusedBehind(found: Findings, better: readonly FoundPassage[], lead: number): Findings {
  const byId = new Map([...found.passages, ...better].map((passage) => [passage.id, passage]))
  const order = fuse([
    { ids: idsOf(better), lead: 1 },
    { ids: idsOf(found.passages), lead },
  ])
  return { ...found, passages: order.flatMap(({ id }) => byId.get(id) ?? []) }
}

/** Yields passages in the order in which they are given, some repeatedly. @param others passages beside those found */
function* inTurn(found: readonly FoundPassage[], others: readonly FoundPassage[]): Generator<FoundPassage> {
  const first = found.slice(0, FIRST)
  yield* first
  yield* others
  const documents = new Set(first.map(documentOf))
  for (const passage of found) {
    if (!documents.has(documentOf(passage))) yield passage
    documents.add(documentOf(passage))
  }
  yield* found
}

/** Takes passages, each once, as long as there is room for them. */
export function withinRoom(passages: readonly FoundPassage[], room: number): FoundPassage[] {
  const taken = new Map<number, FoundPassage>()
  let left = room
  for (const passage of passages) {
    const cost = taken.has(passage.id) ? 0 : estimateTokens(passage.text) + PER_PASSAGE
    // The best passage is given in any case.
    if (cost > left && taken.size > 0) continue
    left -= cost
    taken.set(passage.id, passage)
  }
  return [...taken.values()]
}

/** Tells whether one of some passages is likely to fit. @param threshold the confidence that an answer needs */
export function fitWell(passages: readonly FoundPassage[], threshold: number): boolean {
  return passages.some(({ confidence }) => confidence >= WELL * threshold)
}

/** Leaves out passages that have nothing to do with what was searched for. */
export function fitting(passages: readonly FoundPassage[]): FoundPassage[] {
  return passages.filter((passage) => fitOf(passage) > 0)
}

/** Returns the fit of the best of some passages, from 0 to 1. @param found best first */
export function scoreOf(found: readonly FoundPassage[]): number {
  return Math.min(1, Math.max(0, ...found.slice(0, FIRST).map(fitOf)))
}

/** Returns how well a passage fits, by its words or by its meaning. */
function fitOf({ coverage, confidence, similarity }: FoundPassage): number {
  return similarity === null ? coverage : Math.max(coverage, confidence)
}

function idsOf(passages: readonly FoundPassage[]): number[] {
  return passages.map(({ id }) => id)
}

function addressOf(url: string, anchor: string): string {
  return anchor === '' || url.includes('#') ? url : `${url}#${anchor}`
}
