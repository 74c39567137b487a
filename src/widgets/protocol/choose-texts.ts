import { bestTag, primaryOf } from '../../language/best-tag.ts'
import type { Texts } from '../schemas.ts'

/** The texts of one language as a visitor gets them. */
interface ShownTexts {
  /** The language; null when the widget has no texts. */
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

/** The languages of the chat's built-in texts. */
export const SPOKEN = ['ar', 'de', 'en', 'es', 'fr', 'it', 'nl', 'pt']

/**
 * Returns the texts that fit a visitor's language best: the same language and region, the language, another region of
 * it; or else those in the language that the chat shows. Otherwise the chat shows its built-in texts, since two
 * languages in one window read badly. The footer may be an imprint, so it is never left out: it is then in English, or
 * in the first language that has one.
 * @param shown the language of the built-in texts that the chat shows; when absent, the wanted one, or English if the
 * chat does not speak it
 */
export function chooseTexts(
  all: Record<string, Texts>,
  wanted: string | null,
  shown = wanted !== null && SPOKEN.includes(primaryOf(wanted)) ? wanted : 'en',
): ShownTexts {
  const tags = Object.keys(all)
  const language = bestTag(tags, wanted) ?? bestTag(tags, shown) ?? null
  const texts = language === null ? footerOf(all) : (all[language] ?? {})
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

function footerOf(all: Record<string, Texts>): Texts {
  const tags = Object.keys(all).filter((tag) => all[tag]?.footer)
  const { footer, footer_url } = all[bestTag(tags, 'en') ?? tags[0] ?? ''] ?? {}
  return { footer, footer_url }
}
