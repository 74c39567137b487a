import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'

/** A real mail server on loopback. */
export interface MailServer extends AsyncDisposable {
  /** The address with user name and password. */
  url: string
  /** The settings of a service that sends mail through it. */
  env: Record<string, string>
  letters: { to: string; from: string; raw: string; text: string }[]
  /**
   * The answer to the next letters: accept, accept and say so only with `answer`, accept and hang up without saying so,
   * refuse the recipient for now or for good, or refuse the sign-in.
   */
  mood: 'takes' | 'holds' | 'hangs up' | 'busy' | 'refuses' | 'distrusts'
  /** Takes letters again, and says so of those that it holds. */
  answer(): void
  /** The number of recipients it was asked about. */
  asked: number
  /** Resolves once there are this many letters. */
  until(count: number): Promise<void>
  close(): Promise<void>
}

const USER = 'parley'
const PASS = 'hunter2-of-the-mail-server'

export async function startMailServer(): Promise<MailServer> {
  const refusal = (responseCode: number) => Object.assign(new Error('not this one'), { responseCode })
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    logger: false,
    onAuth({ username, password }, _session, done) {
      const isRight = username === USER && password === PASS && mail.mood !== 'distrusts'
      if (isRight) done(null, { user: USER })
      else done(refusal(535))
    },
    onRcptTo(_address, _session, done) {
      mail.asked++
      arrived.dispatchEvent(new Event('asked'))
      if (mail.mood === 'busy') done(refusal(451))
      else if (mail.mood === 'refuses') done(refusal(550))
      else done()
    },
    async onData(stream, { envelope }, done) {
      const bytes = await buffer(stream).catch(() => null)
      // A client whose process is killed within a mail hangs up.
      if (bytes === null) return
      const raw = bytes.toString()
      const from = envelope.mailFrom ? envelope.mailFrom.address : ''
      mail.letters.push({ to: envelope.rcptTo[0]?.address ?? '', from, raw, text: textOf(raw) })
      if (mail.mood === 'holds') held.push(done)
      else if (mail.mood === 'hangs up') for (const socket of sockets) socket.destroy()
      else done()
      arrived.dispatchEvent(new Event('letter'))
    },
  })
  const arrived = new EventTarget()
  const held: (() => void)[] = []
  const sockets = new Set<Socket>()
  server.server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  const close = () => new Promise<void>((done) => server.close(() => done()))
  const url = `smtp://${USER}:${PASS}@127.0.0.1:${port}`
  const mail: MailServer = {
    url,
    env: { PARLEY_SMTP_URL: url, PARLEY_MAIL_FROM: 'Parley <parley@example.com>' },
    letters: [],
    mood: 'takes',
    answer() {
      mail.mood = 'takes'
      for (const done of held.splice(0)) done()
    },
    asked: 0,
    async until(count) {
      const late = AbortSignal.timeout(20_000)
      while (mail.letters.length < count) await once(arrived, 'letter', { signal: late })
      assert.equal(mail.letters.length, count)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
  return mail
}

/** Returns the text of a letter, decoded if it is quoted-printable (RFC 2045 section 6.7). */
function textOf(raw: string): string {
  const [head = '', ...rest] = raw.split('\r\n\r\n')
  const body = rest.join('\r\n\r\n')
  if (!/quoted-printable/i.test(head)) return body
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
