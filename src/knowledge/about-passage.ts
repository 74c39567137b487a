/** What a passage is about, as servers of vectors and of orders are told: its title and the headings above it. */
export function aboutPassage({ title, heading }: { title: string; heading: string }): string {
  return heading.startsWith(title) ? heading : [title, heading].filter(Boolean).join(' › ')
}
