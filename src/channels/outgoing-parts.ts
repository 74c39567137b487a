import { cutText } from '../platforms/cut-text.ts'
import type { OutboundButton, Platform } from '../platforms/platform.ts'
import { ctaText } from '../rules/cta.ts'
import type { Cta } from '../transcripts/citations-and-ctas.ts'
import type { Outgoing } from '../transcripts/messages/read-outgoing.ts'
import { outgoingText } from './outgoing-text.ts'
import { pressIdOf } from './press.ts'

/** The texts of a message in order, and the buttons below the last one. */
export interface OutgoingParts {
  texts: string[]
  buttons: readonly OutboundButton[]
}

/**
 * Returns the parts of a message by the limits of its platform. Calls to action are buttons where the platform can show
 * all of them, and texts with their links elsewhere.
 * @param citesSources whether the sources of an answer are listed
 */
export function outgoingParts(
  message: Outgoing,
  citesSources: boolean,
  { textLimit, buttons: limits }: Pick<Platform, 'textLimit' | 'buttons'>,
): OutgoingParts {
  const said = outgoingText(message, citesSources)
  const ctas =
    message.role === 'assistant' && message.ctas !== null ? (JSON.parse(message.ctas) as Cta[]) : []
  const buttons = message.redacted === null ? buttonsOf(message, ctas, limits?.title ?? 0) : []
  const links = buttons.filter(({ url }) => url !== null).length
  if (limits && buttons.length > 0 && limits.takes(links, buttons.length - links)) {
    const offered = together(ctas.map(({ content }) => content))
    const fits = (text: string) => cutText(text, limits.textLimit).length === 1
    if (fits(together([said, offered]))) return { texts: [together([said, offered])], buttons }
    // The buttons then stand below what is offered, which follows the answer as a message of its own.
    if (fits(offered)) return { texts: [...cutText(said, textLimit), offered.trim()], buttons }
  }
  return { texts: cutText(together([said, ...ctas.map(ctaText)]), textLimit), buttons: [] }
}

/** Returns the parts that are left when the platform did not take the buttons: their links stand in the text. */
export function withoutButtons(
  { texts, buttons }: OutgoingParts,
  from: number,
  { textLimit }: Pick<Platform, 'textLimit'>,
): OutgoingParts {
  const links = buttons.flatMap(({ title, url }) => (url === null ? [] : `${title}: ${url}`))
  const left = together([...texts.slice(from), links.join('\n')])
  return { texts: [...texts.slice(0, from), ...cutText(left, textLimit)], buttons: [] }
}

function buttonsOf(
  { completion_id }: Pick<Outgoing, 'completion_id'>,
  ctas: readonly Cta[],
  longest: number,
): OutboundButton[] {
  return ctas.flatMap(({ id, name, button, url }) => {
    const title = button || (url === null ? '' : name)
    if (title === '' || completion_id === null) return []
    return { id: pressIdOf(completion_id, id), title: shortened(title, longest), url }
  })
}

function shortened(title: string, longest: number): string {
  const line = title.replace(/\s+/gu, ' ').trim()
  return line.length <= longest
    ? line
    : `${line
        .slice(0, longest - 1)
        .toWellFormed()
        .trimEnd()}…`
}

function together(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n')
}
