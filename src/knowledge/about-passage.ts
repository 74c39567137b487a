/** Returns the title of a passage and the headings above it, as embedding and reranking servers are given them. */
export function aboutPassage({ title, heading }: { title: string; heading: string }): string {
  return heading.startsWith(title) ? heading : [title, heading].filter(Boolean).join(' › ')
}
