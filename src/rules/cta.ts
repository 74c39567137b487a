import type { Cta } from '../transcripts/citations-and-ctas.ts'
import type { Rule } from './rules-of-agent.ts'
import type { CtaSettings } from './schemas.ts'

export function presentCta({ id, name, content, url, button }: Rule<CtaSettings>): Cta {
  return { id, name, content, url, button }
}

/** A call to action as text, for places without buttons: its content, and below it the button's words and the link. */
export function ctaText({ content, button, url }: Cta): string {
  const below = [button, url].filter(Boolean).join(': ')
  return below === '' ? content : `${content}\n${below}`
}
