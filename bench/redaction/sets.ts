import { readFileSync } from 'node:fs'
import { type Random, seededRandom } from './random.ts'
import { GENERATORS } from './values/generators.ts'

/** A value that must not survive, and the range of text that a redactor may change because of it. */
export interface Planted {
  type: string
  secrets: string[]
  start: number
  end: number
}

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
  const cases = templates(name).flatMap(({ language, template }) => expand(template, language, name, random))
  if (name !== 'checkable' && name !== 'contextual') return cases
  const before = { 2: byLanguage(loadSet('ordinary')), 3: byLanguage(loadSet('hard-negatives', seed)) }
  return cases.map((one, i) => {
    const place = i % 4
    const sentences = place === 2 || place === 3 ? before[place].get(one.language) : undefined
    return sentences ? behind(random.pick(sentences).text, one) : one
  })
}

function templates(name: SetName): { language: string; template: string }[] {
  const lines = readFileSync(new URL(`sets/${name}.txt`, import.meta.url), 'utf8').split('\n')
  let language = ''
  return lines.flatMap((line) => {
    if (line.startsWith('## ')) language = line.slice(3)
    return line && !line.startsWith('## ') ? [{ language, template: line.replaceAll('\\n', '\n') }] : []
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

const SLOT = /\{([a-z][a-z0-9-]*)(?::([a-z]+))?\}/

function fill(template: string, language: string, name: SetName, random: Random): Case {
  const planted: Planted[] = []
  let text = ''
  let rest = template
  let last: Planted | undefined
  for (let match = SLOT.exec(rest); match; match = SLOT.exec(rest)) {
    const [whole, type = '', variant = ''] = match
    text += rest.slice(0, match.index)
    rest = rest.slice(match.index + whole.length)
    const generate = GENERATORS[type]
    const filled =
      type === 'again' && last
        ? { text: last.secrets.join(' '), secrets: last.secrets }
        : generate?.(random, language, variant)
    if (!filled) throw new Error(`no generator for ${whole}`)
    const value = typeof filled === 'string' ? filled : filled.text
    const secrets = typeof filled === 'string' ? [filled] : filled.secrets
    last = {
      type: variant ? `${type}:${variant}` : type,
      secrets,
      start: text.length,
      end: text.length + value.length,
    }
    if (name !== 'hard-negatives') planted.push(last)
    text += value
  }
  return { language, text: text + rest, planted }
}

function alternatives(template: string): string[] {
  const match = /\[([^\]]*)\]/.exec(template)
  if (!match) return [template]
  return (match[1] ?? '').split('|').map((choice) => template.replace(match[0], choice))
}
