import { bestTag } from '../lib/language/best-tag.ts'
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
  const language = bestTag(tags, wanted) ?? bestTag(tags, 'en') ?? tags[0] ?? null
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
