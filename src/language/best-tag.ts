/**
 * Returns the tag that fits a wanted language best: first the same language and region, then the language without a
 * region, then another region of the language.
 * @param tags BCP 47 tags, such as `de` or `pt-BR`
 */
export function bestTag(tags: readonly string[], wanted: string | null): string | undefined {
  if (wanted === null) return undefined
  for (let tag = wanted; tag !== ''; tag = tag.slice(0, Math.max(0, tag.lastIndexOf('-'))))
    if (tags.includes(tag)) return tag
  const primary = primaryOf(wanted)
  return tags.find((tag) => primaryOf(tag) === primary)
}

/** Returns the language of a tag, without script and region. */
export function primaryOf(tag: string): string {
  return tag.split('-')[0] ?? tag
}
