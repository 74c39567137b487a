import { withoutMarkers } from '../model/cite-marked.ts'
import type { Citation } from '../model/model.ts'
import { textOfContent } from '../model/text-of-content.ts'
import type { Outgoing } from '../transcripts/messages/read-outgoing.ts'

/**
 * Returns the text to send: the message, followed by the sources of an answer if the agent's `cite_in_channels` asks
 * for them. Without the list, the numbers of sources would refer to nothing, so they are left out.
 */
export function outgoingText(
  { role, content, citations, redacted }: Pick<Outgoing, 'role' | 'content' | 'citations' | 'redacted'>,
  citesSources: boolean,
): string {
  const text = textOfContent(JSON.parse(content))
  if (role !== 'assistant') return text
  const cited = citations === null ? [] : (JSON.parse(citations) as Citation[])
  const listed = citesSources && redacted !== 'scrub' && text !== '' ? sourceList(cited) : ''
  const said = listed === '' ? withoutMarkers(text, cited.length) : text
  return listed === '' ? said : `${said}\n\n${listed}`
}

const LONGEST_TITLE = 120
/** A longer address could be cut in two by the limits of a platform. */
const LONGEST_ADDRESS = 500

/** Writes a line for each source with the numbers by which the text refers to it, its title and its address. */
function sourceList(citations: readonly Citation[]): string {
  const lines = new Map<string, number[]>()
  for (const [index, { title, url }] of citations.entries()) {
    const address = url !== null && /^https?:/i.test(url) && url.length <= LONGEST_ADDRESS ? url : null
    const name = shortened(title)
    const source = [name, address === name ? null : address].filter(Boolean).join(': ')
    if (source !== '') lines.set(source, [...(lines.get(source) ?? []), index + 1])
  }
  return [...lines]
    .map(([source, numbers]) => `${numbers.map((n) => `[${n}]`).join('')} ${source}`)
    .join('\n')
}

function shortened(title: string): string {
  const line = title.replace(/\s+/gu, ' ').trim()
  return line.length <= LONGEST_TITLE ? line : `${line.slice(0, LONGEST_TITLE - 1).toWellFormed()}…`
}
