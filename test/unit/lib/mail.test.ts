import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { it } from 'node:test'
import { MailFailure, openMailer } from '../../../src/lib/mail.ts'

const TIMES = { connectionTimeout: 300, greetingTimeout: 300, socketTimeout: 300 }
const LETTER = { to: { name: 'Ada', address: 'ada@example.com' }, subject: 'News', text: 'There is some.' }

/** The part of an exchange in which a mail server does something else than to answer. */
type Part = 'greeting' | 'MAIL' | 'RCPT' | 'DATA' | 'text'

/** Sends a letter to a mail server that answers with a reply up to a part, and then does something else. */
async function outcome(part: Part, act: (socket: Socket) => void): Promise<MailFailure['outcome']> {
  const reply = (name: Part, socket: Socket, text: string) =>
    name === part ? act(socket) : socket.write(`${text}\r\n`)
  const server = createServer((socket) => {
    let isText = false
    let rest = ''
    socket.on('error', () => {})
    socket.on('data', (data) => {
      rest += data
      for (let end = rest.indexOf('\r\n'); end >= 0; end = rest.indexOf('\r\n')) {
        const line = rest.slice(0, end)
        rest = rest.slice(end + 2)
        if (isText) {
          if (line === '.') reply('text', socket, '250 taken')
          continue
        }
        const command = line.split(' ')[0]
        if (command === 'MAIL' || command === 'RCPT') reply(command, socket, '250 go on')
        else if (command === 'DATA') {
          isText = part !== 'DATA'
          reply('DATA', socket, '354 go on')
        } else socket.write('250 hello\r\n')
      }
    })
    reply('greeting', socket, '220 hello')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const smtpUrl = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
  const mailer = openMailer({ smtpUrl, from: 'parley@example.com' }, TIMES)
  try {
    const failure = await mailer.send(LETTER, new AbortController().signal).catch((error: unknown) => error)
    assert.ok(failure instanceof MailFailure, String(failure))
    return failure.outcome
  } finally {
    server.close()
  }
}

const ACTS: Record<string, (socket: Socket) => void> = {
  'says nothing': () => {},
  'hangs up': (socket) => socket.destroy(),
  'resets the connection': (socket) => socket.resetAndDestroy(),
}

for (const [what, act] of Object.entries(ACTS))
  it(`a mail server that ${what}: a letter may have left only if it has the whole text`, async () => {
    for (const part of ['greeting', 'MAIL', 'RCPT', 'DATA'] as const)
      assert.equal(await outcome(part, act), 'not_sent', part)
    assert.equal(await outcome('text', act), 'unknown')
  })

it('a mail server that answers: its reply says whether the letter may be sent again', async () => {
  for (const part of ['MAIL', 'RCPT', 'DATA', 'text'] as const)
    for (const [code, expected] of [
      [451, 'not_sent'],
      [550, 'refused'],
    ] as const)
      assert.equal(
        await outcome(part, (socket) => void socket.write(`${code} no\r\n`)),
        expected,
        `${code} to ${part}`,
      )
})
