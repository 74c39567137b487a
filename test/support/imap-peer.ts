import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'

/** A folder of an account, as an IMAP server keeps it. */
interface Folder {
  validity: number
  next: number
  mails: { uid: number; at: Date; raw: Buffer }[]
}

export interface Account {
  user: string
  password: string
  folders: { INBOX: Folder; Sent: Folder }
  /** True once somebody has waited for mail. */
  isRead: boolean
  /** Puts a mail into a folder. */
  put(raw: string | Buffer, folder?: 'INBOX' | 'Sent', at?: Date): void
  /** Numbers the mails of a folder anew, as a server does that was restored. */
  renumber(): void
}

/** An IMAP server on loopback: as much of RFC 9051 as reading an account takes. */
export interface ImapPeer {
  port: number
  /** Commands that were given, without their tags. */
  commands: string[]
  /** The number of connections that are signed in. */
  readers: number
  /** The most there were at once. */
  mostReaders: number
  /** False: the server does not know IDLE. */
  knowsIdle: boolean
  /** True: requests for a part of a mail get no answer. */
  holdsParts: boolean
  /** The number of coming requests for parts of mails at which the server hangs up. */
  hangUps: number
  /** Ends all connections at once. */
  hangUp(): void
  close(): Promise<void>
}

export function newAccount(user: string, password: string, tell: () => void): Account {
  const folder = (): Folder => ({ validity: 7, next: 1, mails: [] })
  const folders = { INBOX: folder(), Sent: folder() }
  return {
    user,
    password,
    folders,
    isRead: false,
    put(raw, name = 'INBOX', at = new Date()) {
      const into = folders[name]
      into.mails.push({ uid: into.next++, at, raw: Buffer.from(raw) })
      tell()
    },
    renumber() {
      const { INBOX } = folders
      INBOX.validity++
      INBOX.next = 1
      for (const mail of INBOX.mails) mail.uid = INBOX.next++
    },
  }
}

export async function startImapPeer(
  accounts: ReadonlyMap<string, Account>,
  changed: { subscribe(listener: () => void): () => void; tell(): void },
): Promise<ImapPeer> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.setEncoding('latin1')
    socket.setNoDelay(true)
    socket.on('error', () => {})
    const session = openSession(socket, accounts, peer, changed)
    socket.on('close', () => {
      sockets.delete(socket)
      session.end()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const peer: ImapPeer = {
    port: (server.address() as AddressInfo).port,
    commands: [],
    readers: 0,
    mostReaders: 0,
    knowsIdle: true,
    holdsParts: false,
    hangUps: 0,
    hangUp() {
      for (const socket of sockets) socket.destroy()
    },
    close() {
      peer.hangUp()
      return new Promise((done) => server.close(() => done()))
    },
  }
  return peer
}

function openSession(
  socket: Socket,
  accounts: ReadonlyMap<string, Account>,
  peer: ImapPeer,
  changed: { subscribe(listener: () => void): () => void; tell(): void },
) {
  let buffered = ''
  let account: Account | null = null
  let folder: Folder | null = null
  let idling: string | null = null
  let known = 0
  const say = (line: string) => socket.writable && socket.write(`${line}\r\n`, 'latin1')
  const tellNew = () => {
    if (!folder || folder.mails.length === known) return
    known = folder.mails.length
    say(`* ${known} EXISTS`)
  }
  const leave = changed.subscribe(() => idling !== null && tellNew())
  say('* OK [CAPABILITY IMAP4rev1] ready')
  socket.on('data', (data: string) => {
    buffered += data
    for (let end = buffered.indexOf('\r\n'); end >= 0; end = buffered.indexOf('\r\n')) {
      const line = buffered.slice(0, end)
      buffered = buffered.slice(end + 2)
      if (idling !== null) {
        say(`${idling} OK IDLE ends`)
        idling = null
        continue
      }
      const [tag = '', name = '', ...rest] = line.split(' ')
      const uid = name.toUpperCase() === 'UID' ? (rest.shift() ?? '') : ''
      peer.commands.push(line.slice(tag.length + 1).replace(/^LOGIN .*/i, 'LOGIN'))
      run(tag, `${name}${uid ? ` ${uid}` : ''}`.toUpperCase(), rest.join(' '))
      changed.tell()
    }
  })

  function run(tag: string, command: string, args: string): void {
    switch (command) {
      case 'CAPABILITY':
        say(`* CAPABILITY IMAP4rev1 UIDPLUS${peer.knowsIdle ? ' IDLE' : ''}`)
        break
      case 'LOGIN': {
        const [user = '', password = ''] = [...args.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(
          ([, quoted, bare]) => (quoted ?? bare ?? '').replaceAll(/\\(.)/g, '$1'),
        )
        const found = accounts.get(user)
        if (found?.password !== password) return void say(`${tag} NO [AUTHENTICATIONFAILED] no`)
        account = found
        peer.readers++
        peer.mostReaders = Math.max(peer.mostReaders, peer.readers)
        break
      }
      case 'LIST':
        if (args === '"" ""') {
          say('* LIST (\\Noselect) "/" ""')
          break
        }
        say('* LIST (\\HasNoChildren) "/" "INBOX"')
        say('* LIST (\\HasNoChildren \\Sent) "/" "Sent"')
        break
      case 'SELECT':
      case 'EXAMINE': {
        const name = args.replace(/^"?([^"\s]+)"?.*$/, '$1')
        folder = account?.folders[name as 'INBOX'] ?? null
        if (!folder) return void say(`${tag} NO there is none`)
        known = folder.mails.length
        say('* FLAGS (\\Seen)')
        say(`* ${known} EXISTS`)
        say(`* OK [UIDVALIDITY ${folder.validity}] valid`)
        say(`* OK [UIDNEXT ${folder.next}] next`)
        return void say(`${tag} OK [READ-ONLY] done`)
      }
      case 'UID SEARCH':
        say(`* SEARCH ${search(args).join(' ')}`.trimEnd())
        break
      case 'UID FETCH':
        if (peer.holdsParts && /BODY\.PEEK\[\w/.test(args)) return
        fetch(args)
        break
      case 'IDLE':
        if (!peer.knowsIdle) return void say(`${tag} BAD unknown`)
        idling = tag
        if (account) account.isRead = true
        say('+ idling')
        return void tellNew()
      case 'NOOP':
        tellNew()
        break
      case 'LOGOUT':
        say('* BYE')
        say(`${tag} OK done`)
        return void socket.end()
      case 'ID':
      case 'NAMESPACE':
      case 'ENABLE':
        return void say(`${tag} BAD unknown`)
    }
    say(`${tag} OK done`)
  }

  function search(args: string): number[] {
    const mails = folder?.mails ?? []
    const [, from] = /UID (\d+):\*/i.exec(args) ?? []
    if (from !== undefined) {
      // The last mail is always within a range that ends in an asterisk.
      const least = Math.min(Number(from), mails.at(-1)?.uid ?? 0)
      return mails.filter(({ uid }) => uid >= least).map(({ uid }) => uid)
    }
    const [, id] = /HEADER MESSAGE-ID "?(<[^>"]+>)"?/i.exec(args) ?? []
    if (id !== undefined)
      return mails.filter(({ raw }) => raw.includes(`Message-ID: ${id}`)).map(({ uid }) => uid)
    const [, since = ''] = /SINCE "?([\w-]+)"?/i.exec(args) ?? []
    const day = Date.parse(`${since} UTC`)
    return mails.filter(({ at }) => at.getTime() >= day).map(({ uid }) => uid)
  }

  function fetch(args: string): void {
    const [, number = '', section = '', from, length] =
      /^(\d+) .*?BODY\.PEEK\[([\w.]*)\](?:<(\d+)\.(\d+)>)?/i.exec(args) ?? []
    const at = (folder?.mails ?? []).findIndex(({ uid }) => uid === Number(number))
    const mail = folder?.mails[at]
    if (!mail) return
    if (section !== '' && peer.hangUps > 0) {
      peer.hangUps--
      socket.destroy()
      return
    }
    const whole = section === '' ? mail.raw : partOf(mail.raw, section)
    const part = from === undefined ? whole : whole?.subarray(Number(from), Number(from) + Number(length))
    const name = from === undefined ? `BODY[${section}]` : `BODY[${section}]<${from}>`
    const [, day = '', date, month, year, time] =
      /^(\w+), (\d+) (\w+) (\d+) ([\d:]+)/.exec(mail.at.toUTCString()) ?? []
    const came = day && `INTERNALDATE "${date}-${month}-${year} ${time} +0000"`
    const bytes = part ? `{${part.length}}\r\n${part.toString('latin1')}` : 'NIL'
    say(`* ${at + 1} FETCH (UID ${mail.uid} ${came} ${name} ${bytes})`)
  }

  return {
    end() {
      leave()
      if (account) peer.readers--
      account = null
      changed.tell()
    },
  }
}

const parts = new WeakMap<Buffer, Map<string, Buffer | null>>()

/** Returns the body of a part of a mail by its number (RFC 9051, section 6.4.5.1); null when the mail has none. */
function partOf(raw: Buffer, section: string): Buffer | null {
  const known = parts.get(raw) ?? new Map<string, Buffer | null>()
  parts.set(raw, known)
  const part = known.get(section) ?? findPart(raw.toString('latin1'), section)
  known.set(section, part)
  return part
}

function findPart(raw: string, section: string): Buffer | null {
  const bodyOf = (part: string) => part.slice(part.indexOf('\r\n\r\n') + 4)
  let part: string | undefined = raw
  for (const number of section.toUpperCase() === 'TEXT' ? [] : section.split('.').map(Number)) {
    const head: string = part.slice(0, part.indexOf('\r\n\r\n'))
    const [, boundary]: string[] =
      /^content-type: *multipart\/[\s\S]*?boundary="?([^"\r\n;]+)/im.exec(head) ?? []
    if (boundary === undefined) return null
    const all: string[] = `\r\n${bodyOf(part)}`.split(
      new RegExp(`\r\n--${RegExp.escape(boundary)}(?=\r\n|--)`),
    )
    part = all[number]?.replace(/^\r\n/, '')
    if (part === undefined) return null
  }
  return Buffer.from(bodyOf(part), 'latin1')
}
