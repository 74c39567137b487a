import type { Texts } from './schemas.ts'

/** The texts of one language as a visitor gets them. */
export interface ShownTexts {
  /** Null: the widget has no texts. */
  language: string | null
  texts: {
    greeting: string | null
    suggestions: string[]
    placeholder: string | null
    notice: string | null
    footer: string | null
    footer_url: string | null
  }
}

/**
 * The texts that fit a visitor's language best: the same language and region, the language, another region of it, then
 * English, then the first that there is.
 */
export function chooseTexts(all: Record<string, Texts>, wanted: string | null): ShownTexts {
  const tags = Object.keys(all)
  const language = bestOf(tags, wanted) ?? bestOf(tags, 'en') ?? tags[0] ?? null
  const texts = language === null ? {} : (all[language] ?? {})
  return {
    language,
    texts: {
      greeting: texts.greeting ?? null,
      suggestions: texts.suggestions ?? [],
      placeholder: texts.placeholder ?? null,
      notice: texts.notice ?? null,
      footer: texts.footer ?? null,
      footer_url: texts.footer_url ?? null,
    },
  }
}

function bestOf(tags: readonly string[], wanted: string | null): string | undefined {
  if (wanted === null) return undefined
  for (let tag = wanted; tag !== ''; tag = tag.slice(0, Math.max(0, tag.lastIndexOf('-'))))
    if (tags.includes(tag)) return tag
  const primary = primaryOf(wanted)
  return tags.find((tag) => primaryOf(tag) === primary)
}

/** The language of a tag, without script and region. */
export function primaryOf(tag: string): string {
  return tag.split('-')[0] ?? tag
}
