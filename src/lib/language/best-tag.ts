/**
 * The tag that fits a wanted language best: the same language and region, the language, another region of it.
 * @param tags as BCP 47 writes them, such as `de` or `pt-BR`
 */
export function bestTag(tags: readonly string[], wanted: string | null): string | undefined {
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
