import type { Inbound } from '../platform.ts'
import { type Said, saidOther, saidSeveral, saidText, withMedia } from '../said.ts'
import { toEchoId, toId } from '../wire.ts'
import type { Letter, Mark } from './letter.ts'
import type { MailPlace } from './listen.ts'
import { mediaIn } from './read-file.ts'
import { type EmailSettings, isAllowed, isOwn } from './settings.ts'
import { splitQuotes } from './split-quotes.ts'
import {
  looksOwn,
  type MailThread,
  nameOfFirst,
  threadName,
  threadOfOwn,
  threadOfRoot,
  threadOfSubaddress,
} from './threads.ts'

/** The most ids that an answer refers to: the first message, and the newest ones. */
const MOST_REFERRED = 20

/** Reads what a mail in the inbox says. */
export function readReceived(letter: Letter, settings: EmailSettings, place: MailPlace): Inbound[] {
  if (letter.report) return readReport(letter, letter.report, settings)
  const sender = senderOf(letter, settings)
  if (!sender) return []
  const sourceId = toId(letter.id)
  if (sourceId === null) return []
  // A mail that may be forged joins no known chat.
  const isForged = hasFailedDmarc(letter, settings)
  const { thread, isReply } = isForged
    ? { thread: threadOfRoot(settings, `forged ${letter.id}`, sender.address), isReply: false }
    : threadOf(letter, sender.address, settings)
  // Anyone to whom the channel has written may answer.
  if (!isReply && !isAllowed(sender.address, settings)) return []
  const { said, quoted } = splitQuotes(letter.text)
  const leave = isAutomatic(letter) ? 'alone' : isForged ? 'to_person' : undefined
  return [
    {
      ...withMedia(saidIn(letter, said, isReply), mediaIn(letter, place)),
      ...(quoted === null ? {} : { quoted }),
      type: 'message',
      sourceId,
      thread: threadName(settings, thread),
      user: { id: sender.address, name: sender.name },
      platformMessageId: null,
      replyToken: null,
      group: false,
      mentioned: false,
      answersTo: referredIn(letter),
      ...(thread.isContinued ? { address: nameOfFirst(settings, sender.address) } : {}),
      ...(leave ? { leave } : {}),
    },
  ]
}

/** Reads a mail that was sent from the account: of a person who answers from their mail program. */
export function readSent(letter: Letter, settings: EmailSettings): Inbound[] {
  const isOurs = letter.marks['x-parley'].length > 0 || looksOwn(letter.id)
  const [address] = letter.recipients
  const sourceId = toId(`sent:${letter.id}`)
  if (isOurs || isAutomatic(letter) || letter.references.length === 0 || !address || sourceId === null)
    return []
  const { thread } = threadOf(letter, address, settings)
  const { said: text } = splitQuotes(letter.text)
  const author = letter.from?.name ?? null
  return [{ type: 'takeover', sourceId, thread: threadName(settings, thread), text: text || null, author }]
}

/** The person who wrote. Forms of web sites write from the account's own address, and name the person for replies. */
function senderOf({ from, replyTo }: Letter, settings: EmailSettings): Letter['from'] {
  if (!from) return null
  if (!isOwn(from.address, settings)) return from
  return replyTo && !isOwn(replyTo.address, settings) ? replyTo : null
}

/** Finds the chat: by the messages of ours that it refers to, by the address that it was sent to, or by its first message. */
function threadOf(
  { id, references, recipients }: Letter,
  address: string,
  settings: EmailSettings,
): { thread: MailThread; isReply: boolean } {
  for (const reference of references.toReversed()) {
    const thread = threadOfOwn(settings, reference, address)
    if (thread) return { thread, isReply: true }
  }
  for (const recipient of recipients) {
    const thread = threadOfSubaddress(settings, recipient, address)
    if (thread) return { thread, isReply: true }
  }
  // Our ids that went to another address are ignored: they would bring strangers into one chat.
  const root = references.find((reference) => !looksOwn(reference)) ?? id
  return { thread: threadOfRoot(settings, root, address), isReply: false }
}

function saidIn({ subject, files, moreFiles }: Letter, said: string, isReply: boolean): Said {
  const words = isReply ? [said] : [subject, said]
  const prompt = words.filter((part) => part !== '').join('\n\n')
  // Pictures within the text are no more than a part of it.
  const named = files.filter(({ inText }) => prompt === '' || inText === null)
  const [first, ...more] = named
  if (!first) return prompt === '' ? saidOther('other', null) : saidText(prompt)
  const rest = moreFiles > 0 ? [`[${moreFiles} more files]`] : []
  const inWords = [
    ...named.map(({ kind, name }) => (name === null ? `[${kind}]` : `[${kind}: ${name}]`)),
    ...rest,
  ]
  if (prompt !== '') return saidText([prompt, inWords.join('\n')].join('\n\n'))
  if (more.length === 0) return saidOther(first.kind, null, first.name)
  return saidSeveral([first.kind, ...more.map(({ kind }) => kind)], null)
}

/** Returns the ids that an answer refers to, the newest last. */
function referredIn({ id, hasId, references }: Letter): string {
  const all = [...references, ...(hasId ? [id] : [])]
  const some = all.length <= MOST_REFERRED ? all : [...all.slice(0, 1), ...all.slice(1 - MOST_REFERRED)]
  return some.join(' ')
}

/**
 * Tells whether a mail was made by a program, as RFC 3834 says: answers to such mail would go back and forth. Mail of a
 * person that only asks not to be answered while somebody is away is no such mail.
 */
export function isAutomatic({ marks }: Pick<Letter, 'marks'>): boolean {
  const has = (name: Mark, is: (value: string) => boolean) =>
    marks[name].some((value) => is(value.toLowerCase()))
  return (
    has('auto-submitted', (value) => value !== '' && !/^no\b/.test(value)) ||
    has('precedence', (value) => ['bulk', 'list', 'junk', 'auto_reply'].includes(value)) ||
    has('list-id', () => true) ||
    has('x-autoreply', (value) => value !== 'no') ||
    has('x-auto-response-suppress', (value) => /\b(?:all|autoreply)\b/.test(value)) ||
    has('return-path', (value) => value === '<>')
  )
}

/** Tells whether the account's own server says that the mail is not from whom it claims to be. */
function hasFailedDmarc({ results }: Letter, { authserv_id }: EmailSettings): boolean {
  if (authserv_id === undefined) return false
  const own = results.filter((result) => {
    const [name = ''] = result.split(/[;\s]/, 1)
    return name.toLowerCase() === authserv_id.toLowerCase()
  })
  return own.some((result) => /;\s*dmarc\s*=\s*fail\b/i.test(result))
}

/** Reads a report that a message of the channel could not be delivered. Reports about other mail say nothing here. */
function readReport(
  { id }: Letter,
  { isFailure, status, recipients, ids }: NonNullable<Letter['report']>,
  settings: EmailSettings,
): Inbound[] {
  const sourceId = toId(`report:${id}`)
  if (!isFailure || sourceId === null) return []
  for (const own of ids)
    for (const address of recipients) {
      const thread = threadOfOwn(settings, own, address)
      const echoId = toEchoId(own)
      if (thread && echoId !== null)
        return [
          {
            type: 'undelivered',
            sourceId,
            thread: threadName(settings, thread),
            echoId,
            reason: 'rejected',
            code: status,
          },
        ]
    }
  return []
}
