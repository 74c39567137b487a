import type { Engine } from './engines.ts'
import { PARTS, type Part } from './held-back.ts'
import { redactAll } from './measure.ts'
import { foundValues, type Miss, scoreAlarms, scoreWordsLost, type Tally } from './score.ts'
import type { SupportCase, SupportSets } from './support-sets.ts'
import type { Planted } from './templates.ts'
import { isRightType, typeOf } from './value-types.ts'

/** The figures of one engine in one part of the support sets: what it found and what it spoilt. */
export interface SupportFigures {
  byType: Map<string, Tally>
  byLanguage: Map<string, Tally>
  /** By script, then by origin of the name. */
  byOrigin: Map<string, Map<string, Tally>>
  /** The share of the found values that are under a right type. */
  rightType: Tally
  alarms: Tally
  wordsLost: Tally
  unstable: Tally
}

export interface SupportReport {
  parts: Record<Part, SupportFigures>
  /** Misses and alarms of the tuned part only: nobody may look at those of the part held back. */
  misses: Miss[]
}

/** Runs an engine on the support sets and scores both parts apart. */
export async function measureSupport(engine: Engine, sets: SupportSets): Promise<SupportReport> {
  const misses: Miss[] = []
  const [personal, harmless, fair] = [
    await withOutputs(engine, sets.personal),
    await withOutputs(engine, sets.harmless),
    await withOutputs(engine, sets.fair),
  ]
  const score = (part: Part): SupportFigures => {
    const figures = noFigures()
    const ofThis = (outputs: Output[]) => outputs.filter(({ one }) => one.part === part)
    const talk = [...ofThis(personal), ...ofThis(harmless)]
    const all = [...talk, ...ofThis(fair)]
    for (const { one, output } of all) {
      const found = foundValues(one, output)
      for (const value of one.planted) {
        const isFound = found.has(value)
        if (one.origin) countIn(originsOf(figures, one.script ?? ''), one.origin, isFound)
        else {
          countIn(figures.byType, typeOf(value.type), isFound)
          countIn(figures.byLanguage, one.language, isFound)
          if (isFound) count(figures.rightType, isRightType(value.type, typeOver(one.text, output, value)))
        }
        if (!isFound && part === 'tuned')
          misses.push({ type: value.type, language: one.origin ?? one.language, text: one.text, output })
      }
    }
    const alarms = scoreAlarms(...unzip(ofThis(harmless)))
    if (part === 'tuned') misses.push(...alarms)
    figures.alarms = { found: alarms.length, total: ofThis(harmless).length }
    figures.wordsLost = scoreWordsLost(...unzip(talk))
    for (const { output, again } of all) count(figures.unstable, output !== again)
    return figures
  }
  const [tuned, heldBack] = PARTS.map(score)
  return { parts: { tuned, 'held-back': heldBack } as Record<Part, SupportFigures>, misses }
}

interface Output {
  one: SupportCase
  output: string
  again: string
}

async function withOutputs(engine: Engine, cases: SupportCase[]): Promise<Output[]> {
  const outputs = await redactAll(
    engine,
    cases.map(({ text }) => text),
  )
  const again = await redactAll(engine, outputs)
  return cases.map((one, i) => ({ one, output: outputs[i] ?? '', again: again[i] ?? '' }))
}

function unzip(outputs: Output[]): [SupportCase[], string[]] {
  return [outputs.map(({ one }) => one), outputs.map(({ output }) => output)]
}

/**
 * Returns the type in the placeholder that stands where the value stood, or '' if none can be told: what is between the
 * placeholders is looked for in the text from left to right.
 */
function typeOver(text: string, output: string, value: Planted): string {
  let from = 0
  let type = ''
  const pieces = output.split(/\[([A-Z][A-Z0-9_]*)\]/)
  for (const [i, piece] of pieces.entries()) {
    if (i % 2 === 1) {
      type = piece
      continue
    }
    const at = piece === '' && i === pieces.length - 1 ? text.length : text.indexOf(piece, from)
    if (at < 0) return ''
    if (type && from < value.end && at > value.start) return type
    from = at + piece.length
  }
  return ''
}

function originsOf({ byOrigin }: SupportFigures, script: string): Map<string, Tally> {
  const origins = byOrigin.get(script) ?? new Map<string, Tally>()
  byOrigin.set(script, origins)
  return origins
}

function countIn(tallies: Map<string, Tally>, key: string, isFound: boolean): void {
  const tally = tallies.get(key) ?? { found: 0, total: 0 }
  tallies.set(key, tally)
  count(tally, isFound)
}

function count(tally: Tally, isFound: boolean): void {
  tally.total++
  if (isFound) tally.found++
}

const none = (): Tally => ({ found: 0, total: 0 })

function noFigures(): SupportFigures {
  return {
    byType: new Map(),
    byLanguage: new Map(),
    byOrigin: new Map(),
    rightType: none(),
    alarms: none(),
    wordsLost: none(),
    unstable: none(),
  }
}
