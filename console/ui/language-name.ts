/** Returns the name of a language, by default in that language; a tag that the browser does not know names itself. */
export function languageName(tag: string, inLanguage = tag): string {
  try {
    return new Intl.DisplayNames([inLanguage], { type: 'language' }).of(tag) ?? tag
  } catch {
    return tag
  }
}
