import { z } from 'zod'

/** A language tag of BCP 47, such as `de` or `pt-BR`. */
export const language = z
  .string()
  .max(35)
  .refine((tag) => canonicalTag(tag) !== null, 'must be a language such as de or pt-BR')
  .overwrite((tag) => canonicalTag(tag) ?? tag)

function canonicalTag(tag: string): string | null {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null
  } catch {
    return null
  }
}

const MOST_LANGUAGES = 50

/** Creates the schema of texts by the tag of their language. @param text of one language */
export function byLanguage<Text extends z.ZodType>(text: Text) {
  return z
    .record(z.string(), text)
    .refine((all) => Object.keys(all).every((tag) => language.safeParse(tag).success), {
      error: 'must have languages such as de or pt-BR as names',
    })
    .refine((all) => Object.keys(all).length <= MOST_LANGUAGES, `holds more than ${MOST_LANGUAGES} languages`)
    .overwrite((all) =>
      Object.fromEntries(Object.entries(all).map(([tag, value]) => [canonicalTag(tag) ?? tag, value])),
    )
}
