import { newest } from '../lib/newest.ts'

const kept = newest<string, Intl.DisplayNames>(100)

/** Returns the name of a language, such as "German". @param tag its tag @param inLanguage the tag of the name's language */
export function languageName(tag: string, inLanguage: string): string {
  let names = kept.get(inLanguage)
  if (!names) {
    names = new Intl.DisplayNames(inLanguage, { type: 'language' })
    kept.set(inLanguage, names)
  }
  // Extensions and private use, such as the first day of a week, have no name: `of` throws for them.
  return names.of(new Intl.Locale(tag).baseName) ?? tag
}
