/** Returns the title of a passage and the headings above it, without a heading that repeats the title. */
export function aboutPassage({ title, heading }: { title: string; heading: string }): string {
  const isRepeated = heading === title || heading.startsWith(`${title} › `)
  return isRepeated ? heading : [title, heading].filter(Boolean).join(' › ')
}
