import { type Random, seededRandom } from './random.ts'
import { fillTemplate, type Planted, readTemplates, SLOT } from './templates.ts'
import { GENERATORS } from './values/generators.ts'

export interface Case {
  language: string
  text: string
  planted: Planted[]
}

export type SetName = 'checkable' | 'contextual' | 'hard-negatives' | 'ordinary'

/** The number of times that a template with slots is filled. */
const VERSIONS: Record<SetName, number> = { checkable: 4, contextual: 3, 'hard-negatives': 2, ordinary: 1 }

/**
 * Returns the cases of a set: `## language` sections with one template a line, `{slot}` filled by a generator,
 * `[a|b]` giving one case each. Some of the cases with planted values follow a harmless sentence of the same
 * language, as in real messages. The same seed gives the same cases.
 */
export function loadSet(name: SetName, seed = 1): Case[] {
  const random = seededRandom(`${name} ${seed}`)
  const cases = readTemplates(name).flatMap(({ language, template }) =>
    expand(template, language, name, random),
  )
  if (name !== 'checkable' && name !== 'contextual') return cases
  const before = { 2: byLanguage(loadSet('ordinary')), 3: byLanguage(loadSet('hard-negatives', seed)) }
  return cases.map((one, i) => {
    const place = i % 4
    const sentences = place === 2 || place === 3 ? before[place].get(one.language) : undefined
    return sentences ? behind(random.pick(sentences).text, one) : one
  })
}

function byLanguage(cases: Case[]): Map<string, Case[]> {
  return Map.groupBy(cases, (one) => one.language)
}

function behind(sentence: string, { language, text, planted }: Case): Case {
  const shift = sentence.length + 1
  const moved = planted.map((one) => ({ ...one, start: one.start + shift, end: one.end + shift }))
  return { language, text: `${sentence}\n${text}`, planted: moved }
}

function expand(template: string, language: string, name: SetName, random: Random): Case[] {
  if (name === 'ordinary') return alternatives(template).map((text) => ({ language, text, planted: [] }))
  const versions = SLOT.test(template) ? VERSIONS[name] : 1
  return Array.from({ length: versions }, () => fill(template, language, name, random))
}

function fill(template: string, language: string, name: SetName, random: Random): Case {
  const { text, planted } = fillTemplate(template, (type, variant) =>
    GENERATORS[type]?.(random, language, variant),
  )
  return { language, text, planted: name === 'hard-negatives' ? [] : planted }
}

function alternatives(template: string): string[] {
  const match = /\[([^\]]*)\]/.exec(template)
  if (!match) return [template]
  return (match[1] ?? '').split('|').map((choice) => template.replace(match[0], choice))
}
