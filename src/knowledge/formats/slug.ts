/**
 * Returns a function that makes the fragments of a document's headings as GitHub does: lower case, without punctuation,
 * dashes for spaces, and a number after a fragment that has been used before.
 */
export function slugger(): (heading: string) => string {
  const used = new Map<string, number>()
  return (heading) => {
    const base = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-')
    let slug = base
    let count = used.get(base) ?? 0
    while (used.has(slug)) slug = `${base}-${++count}`
    used.set(base, count)
    used.set(slug, used.get(slug) ?? 0)
    return slug
  }
}
