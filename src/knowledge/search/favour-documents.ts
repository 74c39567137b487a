import type { FoundPassage } from '../../model/findings.ts'

/** The number of best passages that are looked at together. */
export const TOGETHER = 20
/** The share of its score that the next best passage of a document lends the others; each further one lends half. */
const SHARE = 0.2

/**
 * Raises passages of a document of which others fit, too: it is about what was asked, and does not only mention it.
 * @param passages best first
 */
export function favourDocuments(passages: readonly FoundPassage[]): FoundPassage[] {
  const head = passages.slice(0, TOGETHER)
  const byDocument = Map.groupBy(head, documentOf)
  const raised = head.map((passage) => {
    const others = (byDocument.get(documentOf(passage)) ?? []).filter((other) => other !== passage)
    return {
      ...passage,
      score: others.reduce((sum, { score }, at) => sum + score * SHARE * 0.5 ** at, passage.score),
    }
  })
  return [...raised.sort((a, b) => b.score - a.score), ...passages.slice(TOGETHER)]
}

/** Identifies the document of a passage. */
export function documentOf({ url, source }: FoundPassage): string {
  return url ?? source
}
