import type { Cta } from './ruled-turn.ts'

export type { Cta } from './ruled-turn.ts'

/** A call to action where there are no buttons: its words, with the link below them. */
export function ctaText({ content, button, url }: Cta): string {
  if (url === null) return content
  return `${content}\n${button ? `${button}: ` : ''}${url}`
}
