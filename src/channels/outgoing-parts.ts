import { cutText } from '../platforms/cut-text.ts'
import type { OutboundButton, OutboundTexts, Platform } from '../platforms/platform.ts'
import { ctaText } from '../rules/cta.ts'
import { type Attachment, readAttachments } from '../transcripts/attachments.ts'
import type { Cta } from '../transcripts/citations-and-ctas.ts'
import type { Outgoing } from '../transcripts/messages/read-outgoing.ts'
import { outgoingText } from './outgoing-text.ts'
import { pressIdOf } from './press.ts'
import { SCORES, scoreButton } from './score.ts'

/** The texts of a message in order, the buttons below the last one, and its files, which follow the texts. */
export interface OutgoingParts {
  texts: string[]
  buttons: readonly OutboundButton[]
  files: readonly Attachment[]
}

const ENDLESS = Number.MAX_SAFE_INTEGER

/** The limits under which a message is one text, however long it is, and its files go with it. */
export const WHOLE = {
  textLimit: { length: ENDLESS, unit: 'utf16' },
  textsAtOnce: 1,
  attaches: { bytes: ENDLESS },
} as const

/** The content of one call: as many texts as the platform takes at once, with the files that go with them, or a file. */
export type NextParts =
  | (Required<Pick<OutboundTexts, 'texts' | 'buttons'>> & { files: readonly Attachment[] })
  | { file: Attachment }

/**
 * Returns the parts of a message by the limits of its platform. Calls to action are buttons where the platform can show
 * all of them, and texts with their words and links elsewhere. So are the scores below a question for a rating.
 * @param citesSources whether the sources of an answer are listed
 */
export function outgoingParts(
  message: Outgoing,
  citesSources: boolean,
  limits: Pick<Platform, 'textLimit' | 'buttons'>,
): OutgoingParts {
  const { kind, attachments } = message
  // Files come last and are deleted all at once, so that the numbers of the other parts never change.
  const files = (readAttachments(attachments) ?? []).filter(({ state }) => state === 'stored')
  // Without a text of its own, the message says in words which files it has.
  if (attachments !== null && kind !== null && kind !== 'text') return { texts: [], buttons: [], files }
  return { ...textsOf(message, citesSources, limits), files }
}

/** Returns the number of parts. */
export function countOf({ texts, files }: OutgoingParts): number {
  return texts.length + files.length
}

/** Returns the files among the parts that are left from one on. */
export function filesFrom({ texts, files }: OutgoingParts, from: number): readonly Attachment[] {
  return files.slice(Math.max(0, from - texts.length))
}

/** Returns the parts that the next call sends, and the number of those that are then sent; null: all are sent. */
export function nextParts(
  parts: OutgoingParts,
  from: number,
  { textsAtOnce, attaches }: Pick<Platform, 'textsAtOnce' | 'attaches'>,
): { next: NextParts; end: number } | null {
  const { texts, buttons } = parts
  const count = countOf(parts)
  if (from >= count) return null
  const [first, ...more] = texts.slice(from, from + textsAtOnce)
  const isLast = from + textsAtOnce >= texts.length
  const files = isLast ? filesFrom(parts, from) : []
  if (attaches && files.length > 0)
    return { next: { texts: [first ?? '', ...more], buttons, files }, end: count }
  if (first !== undefined) {
    const end = from + 1 + more.length
    return { next: { texts: [first, ...more], buttons: isLast ? buttons : [], files: [] }, end }
  }
  const [file] = files
  return file ? { next: { file }, end: from + 1 } : null
}

function textsOf(
  message: Outgoing,
  citesSources: boolean,
  { textLimit, buttons: limits }: Pick<Platform, 'textLimit' | 'buttons'>,
): Pick<OutgoingParts, 'texts' | 'buttons'> {
  const said = outgoingText(message, citesSources)
  if (message.rating_request !== null && (limits?.choices ?? 0) >= SCORES.length)
    return { texts: [said], buttons: SCORES.map((score) => scoreButton(score, message.id)) }
  const ctas =
    message.role === 'assistant' && message.ctas !== null ? (JSON.parse(message.ctas) as Cta[]) : []
  const buttons = message.redacted === null ? buttonsOf(message, ctas, limits?.title ?? 0) : []
  const links = buttons.filter(({ url }) => url !== null).length
  if (limits && buttons.length > 0 && limits.takes(links, buttons.length - links)) {
    const offered = together(ctas.map(({ content }) => content))
    const fits = (text: string) => cutText(text, limits.textLimit).length === 1
    if (fits(together([said, offered]))) return { texts: [together([said, offered])], buttons }
    // The texts of the calls to action then follow the answer as a message of their own, with the buttons below it.
    if (fits(offered)) return { texts: [...cutText(said, textLimit), offered.trim()], buttons }
  }
  return { texts: cutText(together([said, ...ctas.map(ctaText)]), textLimit), buttons: [] }
}

/** Returns the parts that are left when the platform did not take the buttons: their words and links stand in the text. */
export function withoutButtons(
  { texts, buttons, files }: OutgoingParts,
  from: number,
  { textLimit }: Pick<Platform, 'textLimit'>,
): OutgoingParts {
  const words = buttons.map(({ title, url }) => (url === null ? title : `${title}: ${url}`))
  const left = together([...texts.slice(from), words.join('\n')])
  return { texts: [...texts.slice(0, from), ...cutText(left, textLimit)], buttons: [], files }
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
