import type { Cta } from '../transcripts/citations-and-ctas.ts'
import type { Rule } from './rules-of-agent.ts'
import type { CtaSettings } from './schemas.ts'

export function presentCta({ id, name, content, url, button }: Rule<CtaSettings>): Cta {
  return { id, name, content, url, button }
}

/** A call to action as text, for places without buttons: its content with the link below it. */
export function ctaText({ content, button, url }: Cta): string {
  if (url === null) return content
  return `${content}\n${button ? `${button}: ` : ''}${url}`
}
