import type { Cta } from '../transcripts/completions/cta.ts'
import type { Rule } from './rules-of-agent.ts'
import type { CtaSettings } from './schemas.ts'

export function presentCta({ id, name, content, url, button }: Rule<CtaSettings>): Cta {
  return { id, name, content, url, button }
}

/** A call to action where there are no buttons: its words, with the link below them. */
export function ctaText({ content, button, url }: Cta): string {
  if (url === null) return content
  return `${content}\n${button ? `${button}: ` : ''}${url}`
}
