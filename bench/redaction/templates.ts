import { readFileSync } from 'node:fs'
import type { Filled } from './values/slot.ts'

/** A value that must not survive, and the range of text that a redactor may change because of it. */
export interface Planted {
  type: string
  secrets: string[]
  start: number
  end: number
}

/** A template of a set, one to a line: `## language` begins a section, `\n` and `\t` stand for themselves. */
export interface Template {
  language: string
  template: string
}

export const SLOT = /\{([a-z][a-z0-9-]*)(?::([a-z]+))?\}/

export function readTemplates(set: string): Template[] {
  const lines = readFileSync(new URL(`sets/${set}.txt`, import.meta.url), 'utf8').split('\n')
  let language = ''
  return lines.flatMap((line) => {
    if (line.startsWith('## ')) language = line.slice(3)
    return line && !line.startsWith('## ')
      ? [{ language, template: line.replaceAll('\\n', '\n').replaceAll('\\t', '\t') }]
      : []
  })
}

/**
 * Fills every `{slot}` or `{slot:variant}` by a generator; `{again}` repeats the secrets of the slot before it.
 * @throws Error if there is no generator for a slot
 */
export function fillTemplate(
  template: string,
  generate: (type: string, variant: string) => string | Filled | undefined,
): { text: string; planted: Planted[] } {
  const planted: Planted[] = []
  let text = ''
  let rest = template
  for (let match = SLOT.exec(rest); match; match = SLOT.exec(rest)) {
    const [whole, type = '', variant = ''] = match
    const last = planted.at(-1)
    text += rest.slice(0, match.index)
    rest = rest.slice(match.index + whole.length)
    const filled =
      type === 'again' && last
        ? { text: last.secrets.join(' '), secrets: last.secrets }
        : generate(type, variant)
    if (filled === undefined) throw new Error(`no generator for ${whole}`)
    const { text: value, secrets } = typeof filled === 'string' ? { text: filled, secrets: [filled] } : filled
    planted.push({
      type: variant ? `${type}:${variant}` : type,
      secrets,
      start: text.length,
      end: text.length + value.length,
    })
    text += value
  }
  return { text: text + rest, planted }
}
