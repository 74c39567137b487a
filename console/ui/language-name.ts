/** Returns the name of a language, in that language by default. A tag that the browser does not accept is its own name. */
export function languageName(tag: string, inLanguage = tag): string {
  try {
    return new Intl.DisplayNames([inLanguage], { type: 'language' }).of(tag) ?? tag
  } catch {
    return tag
  }
}
