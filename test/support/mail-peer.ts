import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import type { TestAgent } from './app.ts'
import { createAwaited } from './awaited.ts'
import { type Account, type ImapPeer, newAccount, startImapPeer } from './imap-peer.ts'

const PASSWORD = 'password-of-the-mailbox'

/** A mail that was accepted to be sent. */
export interface SentMail {
  from: string
  to: string[]
  raw: Buffer
  mail: ParsedMail
}

type Failure = number | 'hang up before' | 'hang up' | 'say nothing'

/** A mail provider on loopback: accounts that are read by IMAP, and an SMTP server that delivers among them. */
export interface MailPeer extends AsyncDisposable {
  readonly imap: ImapPeer
  readonly sent: SentMail[]
  /** Mails that were refused with a reply. */
  readonly refused: ParsedMail[]
  /** The sign-ins of the SMTP server. */
  signIns: number
  /**
   * Answers the next mails, one each: with a reply to their text, by hanging up before or after it, or by sending them
   * without ever saying so.
   */
  failNext(...how: Failure[]): void
  account(address: string): Account
  /** The settings of a channel for an account. */
  settings(address: string): Record<string, unknown>
  until(isReady: () => boolean, what: string): Promise<void>
  untilSent(count: number): Promise<SentMail[]>
  close(): Promise<void>
}

export async function startMailPeer(): Promise<MailPeer> {
  const accounts = new Map<string, Account>()
  const awaited = createAwaited()
  const listeners = new Set<() => void>()
  const tell = () => {
    for (const listener of listeners) listener()
    awaited.tell()
  }
  const imap = await startImapPeer(accounts, {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    tell: awaited.tell,
  })
  const failures: Failure[] = []
  const sent: SentMail[] = []
  const refused: ParsedMail[] = []
  const smtp = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    logger: false,
    onAuth({ username = '', password }, _session, done) {
      if (accounts.get(username)?.password !== password) return done(refusal(535))
      peer.signIns++
      done(null, { user: username })
    },
    onRcptTo(_address, _session, done) {
      if (failures[0] !== 'hang up before') return done()
      failures.shift()
      hangUp()
    },
    async onData(stream, session, done) {
      // A client that gives up within a mail hangs up.
      const raw = await buffer(stream).catch(() => null)
      if (raw === null) return
      const failure = failures.shift()
      if (failure === 'hang up') return hangUp()
      if (typeof failure === 'number') {
        refused.push(await simpleParser(raw))
        return done(refusal(failure))
      }
      const { envelope } = session
      const from = envelope.mailFrom ? envelope.mailFrom.address : ''
      const to = envelope.rcptTo.map(({ address }) => address)
      sent.push({ from, to, raw, mail: await simpleParser(raw) })
      if (failure === undefined) done()
      for (const address of to) accounts.get(address.replace(/\+[^@]*/, ''))?.put(raw)
      awaited.tell()
    },
  })
  const sockets = new Set<Socket>()
  const hangUp = () => {
    for (const socket of sockets) socket.destroy()
  }
  smtp.server.on('connection', (socket) => {
    socket.setNoDelay(true)
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  smtp.on('error', () => {})
  smtp.listen(0, '127.0.0.1')
  await once(smtp.server, 'listening')
  const { port } = smtp.server.address() as AddressInfo
  const peer: MailPeer = {
    imap,
    sent,
    refused,
    signIns: 0,
    failNext: (...how) => void failures.push(...how),
    account(address) {
      const account = accounts.get(address) ?? newAccount(address, PASSWORD, tell)
      accounts.set(address, account)
      return account
    },
    settings(address) {
      peer.account(address)
      const server = { host: '127.0.0.1', user: address, password: PASSWORD, security: 'none' }
      return { address, debounce_ms: 0, imap: { ...server, port: imap.port }, smtp: { ...server, port } }
    },
    until: awaited.until,
    async untilSent(count) {
      await awaited.until(() => sent.length >= count, `mail ${count}`)
      return sent
    },
    [Symbol.asyncDispose]: () => peer.close(),
    async close() {
      const closed = new Promise<void>((done) => smtp.close(() => done()))
      hangUp()
      await Promise.all([imap.close(), closed])
    },
  }
  return peer
}

function refusal(responseCode: number): Error {
  return Object.assign(new Error('not this one, anna@example.org'), { responseCode })
}

let mails = 0

/** Writes a mail. Headers that are null are left out. */
export function mail(
  from: string,
  to: string,
  text: string,
  headers: Record<string, string | null> = {},
): string {
  const all: Record<string, string | null> = {
    From: from,
    To: to,
    Subject: 'A question',
    Date: new Date().toUTCString(),
    'Message-ID': `<mail-${++mails}@example.org>`,
    'MIME-Version': '1.0',
    'Content-Type': 'text/plain; charset=utf-8',
    ...headers,
  }
  const head = Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]))
  return [...head, '', text].join('\r\n')
}

/** A part of a mail: its headers, and its bytes, which are encoded in Base64 unless they are a text. */
export type MailPart = [headers: Record<string, string>, body: string | Buffer | MailPart[]]

/** Writes a mail of several parts. */
export function mailOfParts(
  from: string,
  to: string,
  parts: readonly MailPart[],
  headers: Record<string, string | null> = {},
): string {
  const type = { 'Content-Type': 'multipart/mixed; boundary="b0"' }
  return mail(from, to, partsOf(parts, 'b0'), { ...type, ...headers })
}

function partsOf(parts: readonly MailPart[], boundary: string): string {
  const written = parts.map(([headers, body], at) => {
    const inner = `${boundary}.${at}`
    const more: Record<string, string> = Array.isArray(body)
      ? { 'Content-Type': `${headers['Content-Type']}; boundary="${inner}"` }
      : typeof body === 'string'
        ? {}
        : { 'Content-Transfer-Encoding': 'base64' }
    const head = Object.entries({ ...headers, ...more }).map(([name, value]) => `${name}: ${value}`)
    const text = Array.isArray(body)
      ? partsOf(body, inner)
      : typeof body === 'string'
        ? body
        : (body.toString('base64').match(/.{1,76}/g) ?? []).join('\r\n')
    return `--${boundary}\r\n${head.join('\r\n')}\r\n\r\n${text}\r\n`
  })
  return `${written.join('')}--${boundary}--\r\n`
}

/** Returns the headers of a file of a mail. */
export function fileHeaders(type: string, name: string): Record<string, string> {
  return { 'Content-Type': type, 'Content-Disposition': `attachment; filename="${name}"` }
}

/** Adds a channel by mail and waits until its account is read, unless it cannot be. */
export async function addMailChannel(
  agent: TestAgent,
  peer: MailPeer,
  address: string,
  settings: Record<string, unknown> = {},
  isRead = true,
): Promise<{ id: number; kind: 'email'; account: Account }> {
  const { status, body, text } = await agent.post('/channels', {
    kind: 'email',
    settings: { ...peer.settings(address), ...settings },
  })
  if (status !== 201) throw new Error(text)
  if (isRead) await peer.until(() => peer.account(address).isRead, 'the account to be read')
  return { id: body.data.id, kind: 'email', account: peer.account(address) }
}
