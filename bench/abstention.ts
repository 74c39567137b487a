import { createAgent } from '../src/agents/create-agent.ts'
import { measureThreshold } from '../src/knowledge/calibration/measure-threshold.ts'
import { addDocument, type NewDocument } from '../src/knowledge/documents/add-document.ts'
import { searchKnowledge } from '../src/knowledge/search/search.ts'
import { CONFIDENCE_NEEDED, type FoundPassage } from '../src/model/findings.ts'
import { openBenchDatabase } from './knowledge/database.ts'
import { type Entry, readOutOfScope, readQuestionSets } from './knowledge/faq.ts'
import { readManuals } from './knowledge/manuals.ts'

/**
 * Measures how often the built-in answerer answers questions that the documents answer, and those that they do not:
 * with the threshold that is the same for all, and with the one measured on the documents. Each set is also asked with
 * half of its entries or pages taken out.
 */
interface Asked {
  question: string
  isAnsweredBy(passage: FoundPassage): boolean
}

interface Bank {
  name: string
  documents: NewDocument[]
  answerable: Asked[]
  /** Questions by their origin. */
  unanswerable: Record<string, string[]>
}

interface Shares {
  right: number
  wrong: Map<string, number>
}

/** The sets on which the constants of the calibration were chosen. */
const TUNED_ON = ['BANKING77', 'CLINC150', 'guide']

const banks = [...faqBanks(), ...manualBanks()]
const results: { name: string; isTuned: boolean; fixed: Shares; measured: Shares }[] = []
print('bank: threshold, answered right, unanswerable answered (fixed 0.47 → measured)')
for (const bank of banks) await benchBank(bank)
for (const isTuned of [true, false]) {
  print(isTuned ? `mean over ${TUNED_ON.join(', ')}, on which constants were chosen` : 'mean over the others')
  const of = results.filter((result) => result.isTuned === isTuned)
  for (const kind of ['fixed', 'measured'] as const) {
    const right = mean(of.map((result) => result[kind].right))
    const wrong = (isNear: boolean) =>
      of.flatMap((result) =>
        [...result[kind].wrong].flatMap(([from, share]) =>
          (from === 'taken out') === isNear ? [share] : [],
        ),
      )
    const [out, near] = [wrong(false), wrong(true)]
    print(
      `  ${kind}: right ${percent(right)}  other subjects ${percent(mean(out))} (worst ${percent(Math.max(...out))})  taken out ${percent(mean(near))} (worst ${percent(Math.max(...near))})`,
    )
  }
}

async function benchBank({ name, documents, answerable, unanswerable }: Bank): Promise<void> {
  await using opened = await openBenchDatabase('sqlite')
  const { db } = opened.database
  const { agentId } = await db
    .transaction()
    .execute((db) => createAgent(db, { name: 'Bench', teamId: null, nowMs: 0 }))
  for (const document of documents) await addDocument(db, agentId, document, 0)
  const started = performance.now()
  const { threshold, asked } = await measureThreshold(db, agentId, new AbortController().signal)
  const tookMs = performance.now() - started
  const best = async (question: string) => (await searchKnowledge(db, agentId, question, 1)).passages[0]

  const found = await Promise.all(
    answerable.map(async (asked) => ({ asked, passage: await best(asked.question) })),
  )
  const others = await Promise.all(
    Object.entries(unanswerable).map(async ([from, questions]) => ({
      from,
      passages: await Promise.all(questions.map(best)),
    })),
  )
  const shares = (needed: number): Shares => ({
    right: shareOf(found, ({ asked, passage }) => isAnswer(passage, needed) && asked.isAnsweredBy(passage)),
    wrong: new Map(
      others.map(({ from, passages }) => [from, shareOf(passages, (passage) => isAnswer(passage, needed))]),
    ),
  })
  const fixed = shares(CONFIDENCE_NEEDED)
  const measured = shares(threshold ?? CONFIDENCE_NEEDED)
  const wrong = [...measured.wrong].map(
    ([from, share]) => `${from} ${percent(fixed.wrong.get(from) ?? 0)} → ${percent(share)}`,
  )
  print(
    `${name}: ${threshold?.toFixed(2) ?? 'none'}  right ${percent(fixed.right)} → ${percent(measured.right)}  ${wrong.join('  ')}  (${asked} asked in ${tookMs.toFixed(0)} ms)`,
  )
  results.push({ name, isTuned: TUNED_ON.some((tuned) => name.startsWith(tuned)), fixed, measured })
}

function faqBanks(): Bank[] {
  return [false, true].flatMap((alternates) =>
    readQuestionSets().flatMap(({ name, entries, unanswerable }) => {
      const called = alternates ? `${name} with other ways to ask` : name
      const bank = (name: string, kept: Entry[], gone: Entry[]): Bank => ({
        name,
        documents: kept.map((entry) => ({
          title: entry.question,
          url: null,
          content: entry.answer,
          format: 'text',
          ...(alternates ? { questions: entry.alternates } : {}),
        })),
        answerable: kept.flatMap(({ question, asked }) =>
          asked.map((query) => ({ question: query, isAnsweredBy: ({ title }) => title === question })),
        ),
        unanswerable: {
          other: unanswerable,
          ...(gone.length > 0 ? { 'taken out': gone.flatMap(({ asked }) => asked) } : {}),
        },
      })
      return [
        bank(called, entries, []),
        ...halves(entries).map(([kept, gone]) => bank(`${called}, half`, kept, gone)),
      ]
    }),
  )
}

function manualBanks(): Bank[] {
  const manuals = readManuals()
  return manuals.flatMap(({ name, pages, questions }) => {
    const ofOthers = manuals
      .filter((manual) => manual.name !== name)
      .flatMap(({ questions }) => questions.map(({ asked }) => asked))
    const bank = (called: string, gone: readonly string[]): Bank => {
      const isGone = (path: string) => gone.some((page) => path.includes(page))
      const [kept, left] = [true, false].map((stays) =>
        questions.filter(({ answeredBy }) => !answeredBy.some(isGone) === stays),
      )
      return {
        name: called,
        documents: pages
          .filter(({ path }) => !isGone(path))
          .map(({ path, text }) => ({
            content: text,
            format: path.endsWith('x') ? 'mdx' : 'markdown',
            otherwiseTitled: path,
            url: `https://example.com/${path}`,
          })),
        answerable: (kept ?? []).map(({ asked, answeredBy }) => ({
          question: asked,
          isAnsweredBy: ({ url }) => answeredBy.some((page) => url?.includes(page)),
        })),
        unanswerable: {
          other: readOutOfScope(),
          ...(gone.length === 0
            ? { 'other manuals': ofOthers }
            : { 'taken out': (left ?? []).map(({ asked }) => asked) }),
        },
      }
    }
    const answering = [...new Set(questions.map(({ answeredBy }) => answeredBy[0] ?? ''))]
    return [bank(name, []), ...halves(answering).map(([, gone]) => bank(`${name}, half`, gone))]
  })
}

/** Returns the two ways to take out every second item of a list. */
function halves<Item>(items: readonly Item[]): [kept: Item[], gone: Item[]][] {
  const [even, odd] = [0, 1].map((rest) => items.filter((_, at) => at % 2 === rest))
  return [
    [even ?? [], odd ?? []],
    [odd ?? [], even ?? []],
  ]
}

function isAnswer(passage: FoundPassage | undefined, needed: number): passage is FoundPassage {
  return passage !== undefined && passage.confidence >= needed
}

function shareOf<Item>(items: readonly Item[], is: (item: Item) => boolean): number {
  return items.filter(is).length / items.length
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`
}

function print(line: string) {
  process.stdout.write(`${line}\n`)
}
