import type { AddressObject, HeaderLines, ParsedMail } from 'mailparser'
import { plainFileName } from '../../lib/plain-file-name.ts'
import { storableText } from '../../lib/storable-text.ts'
import type { FileKind } from '../media.ts'
import { plainAddress, toAddress } from './settings.ts'
import { type MailFile, splitMail } from './split-mail.ts'

/** A mail, as far as it is used. Texts come from outside and are not checked further. */
export interface Letter {
  /** The id, or a hash of the mail when it has none. */
  id: string
  hasId: boolean
  from: Party | null
  replyTo: Party | null
  recipients: string[]
  subject: string
  text: string
  /** The ids of the messages that it refers to, the oldest first. */
  references: string[]
  files: LetterFile[]
  /** The number of files that are left out. */
  moreFiles: number
  /** The values of the headers that say by whom or for whom it was made. */
  marks: Record<Mark, string[]>
  /** The `Authentication-Results`, the newest first. */
  results: string[]
  /** Set for a report about mail that could not be delivered. */
  report: { isFailure: boolean; status: string; recipients: string[]; ids: string[] } | null
}

interface LetterFile extends Omit<MailFile, 'type'> {
  kind: FileKind
}

interface Party {
  address: string
  name: string | null
}

const MARKS = [
  'auto-submitted',
  'precedence',
  'list-id',
  'x-auto-response-suppress',
  'return-path',
  'x-autoreply',
  'x-parley',
] as const

export type Mark = (typeof MARKS)[number]

const LONGEST_TEXT = 50_000
const LONGEST_HTML = 512 * 1024
const MOST_REFERENCES = 100

const READING = {
  skipTextToHtml: true,
  skipImageLinks: true,
  keepCidLinks: true,
  keepDeliveryStatus: true,
  ignoreEmbedded: true,
  checksumAlgo: false,
  maxHtmlLengthToParse: LONGEST_HTML,
} as const
const HEAD_OF_HTML = 'Content-Type: text/html; charset=utf-8\r\n\r\n'

/**
 * Reads a mail. HTML becomes text; nothing of it is ever rendered.
 * @throws Error when it is no mail that can be read; what reading its bytes throws
 */
export async function readLetter(raw: AsyncIterable<Uint8Array>): Promise<Letter> {
  // Most installations have no channel by e-mail.
  const { simpleParser } = await import('mailparser')
  const { words, hasPlain, files, moreFiles, hash } = await splitMail(raw)
  const mail = await simpleParser(words, { ...READING, skipHtmlToText: !hasPlain })
  // Some programs send an empty text beside HTML.
  const text = mail.text?.trim()
    ? mail.text
    : (await simpleParser(`${HEAD_OF_HTML}${withTablesApart(mail.html || '')}`, READING)).text
  const lines = mail.headerLines
  const id = idsIn(mail.messageId ?? '')[0]
  return {
    id: id ?? `sha256:${hash}`,
    hasId: id !== undefined,
    from: partyOf(mail.from),
    replyTo: partyOf(mail.replyTo),
    recipients: [
      ...[mail.to, mail.cc].flat().flatMap((list) => addressesOf(list)),
      ...valuesOf(lines, 'delivered-to').map(plainAddress),
    ].slice(0, MOST_REFERENCES),
    subject: cut(oneLine(mail.subject ?? ''), 500),
    text: cut(storableText(text ?? '').replace(/\[cid:[^\]\s]{1,250}\]/g, ''), LONGEST_TEXT),
    references: referencesOf(mail),
    files: files.map(fileOf),
    moreFiles,
    marks: Object.fromEntries(MARKS.map((name) => [name, valuesOf(lines, name)])) as Letter['marks'],
    results: valuesOf(lines, 'authentication-results'),
    report: reportOf(mail, text ?? ''),
  }
}

/** Sets the cells and rows of tables apart, which the library would run together. */
function withTablesApart(html: string): string {
  return html.replace(/<t[dh]\b/gi, ' $&').replace(/<tr\b/gi, '<br>$&')
}

function referencesOf({ references, inReplyTo }: ParsedMail): string[] {
  const all = [references ?? [], inReplyTo ?? []].flat().flatMap(idsIn)
  // A client may have the newest one in both.
  const each = [...new Set(all.toReversed())].reverse()
  return each.length <= MOST_REFERENCES ? each : [...each.slice(0, 1), ...each.slice(1 - MOST_REFERENCES)]
}

/** Returns the ids of messages in a text, with their brackets. */
function idsIn(text: string): string[] {
  return [...text.slice(0, 32_768).matchAll(/<[^<>\s]{1,250}>/g)].map(([id]) => storableText(id))
}

function partyOf(list: AddressObject | undefined): Party | null {
  const [first] = list?.value ?? []
  const address = toAddress(storableText(first?.address ?? ''))
  if (address === null) return null
  return { address, name: cut(oneLine(first?.name ?? ''), 200) || null }
}

function addressesOf(list: AddressObject | undefined): string[] {
  return (list?.value ?? []).flatMap(({ address }) => (address ? [plainAddress(address)] : []))
}

/** Returns the values of a header in the order in which they stand in the mail. */
function valuesOf(lines: HeaderLines, name: string): string[] {
  return lines
    .filter(({ key }) => key === name)
    .map(({ line }) => storableText(oneLine(line.slice(line.indexOf(':') + 1))))
}

function fileOf({ type, name, ...file }: MailFile): LetterFile {
  const [family = ''] = type.split('/')
  const kind = family === 'image' || family === 'video' ? family : family === 'audio' ? 'voice' : 'file'
  const plain = plainFileName(oneLine(name ?? '')).replace(/[[\]]/g, '')
  return { ...file, kind, name: plain ? cut(plain, 120) : null }
}

/** Reads a report about mail that could not be delivered (RFC 3464). */
function reportOf({ headers, attachments }: ParsedMail, text: string): Letter['report'] {
  const type = headers.get('content-type') as { value?: unknown } | undefined
  if (String(type?.value).toLowerCase() !== 'multipart/report') return null
  const parts = attachments.map(({ contentType, content }) => ({
    contentType: contentType.toLowerCase(),
    content: content.subarray(0, 65_536).toString('latin1'),
  }))
  const status = parts.find((part) => part.contentType === 'message/delivery-status')?.content ?? ''
  const about = parts.map(({ content }) => content).join('\n')
  const recipients = [...status.matchAll(/^(?:final|original)-recipient:[^;\r\n]*;[ \t]*<?([^\s<>]+)/gim)]
  const returned = [...about.matchAll(/^to:(.*)/gim)].flatMap(
    ([, to = '']) => to.split(/[\s<>,;"]/).find((word) => /.@./.test(word)) ?? [],
  )
  return {
    isFailure: /^action:\s*failed/im.test(status),
    status: /^status:\s*([245]\.\d{1,3}\.\d{1,3})/im.exec(status)?.[1] ?? 'failed',
    recipients: [...recipients.map(([, address = '']) => address), ...returned]
      .slice(0, 20)
      .map(plainAddress),
    ids: [...idsIn(about), ...idsIn(text)].slice(0, MOST_REFERENCES),
  }
}

function oneLine(text: string): string {
  return storableText(text.replace(/\s+/gu, ' ').trim())
}

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).toWellFormed()}…`
}
