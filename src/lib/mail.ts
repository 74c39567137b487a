/** A plain letter to one person. */
export interface Letter {
  to: { name: string; address: string }
  subject: string
  text: string
  /** The address that stops such letters with one click (RFC 8058). */
  stopUrl?: string
}

/** Sends mail through the installation's mail server. */
export interface Mailer {
  /** @param signal stops waiting for the server @throws MailFailure */
  send(letter: Letter, signal: AbortSignal): Promise<void>
  /** Connects and signs in without sending anything. @throws MailFailure */
  check(): Promise<void>
}

/**
 * The error thrown when a letter was not accepted. Its message and codes hold no address, no credential and no text.
 */
export class MailFailure extends Error {
  /** True if the server refuses this letter for good (a 5xx reply to its recipient or content). */
  readonly isFinal: boolean
  /** A code of the library or the operating system, such as `EAUTH` or `ECONNREFUSED`. */
  readonly code: string

  constructor(cause: unknown) {
    const { code, responseCode } = (cause instanceof Error ? cause : {}) as {
      code?: unknown
      responseCode?: unknown
    }
    const reply = typeof responseCode === 'number' ? ` with reply ${responseCode}` : ''
    super(`the mail server cannot be used: ${WORDS.get(String(code)) ?? 'it failed'}${reply}`)
    this.name = 'MailFailure'
    this.code = typeof code === 'string' ? code : 'EMAIL'
    // The operator can fix a refused sign-in, so the letter waits.
    this.isFinal = typeof responseCode === 'number' && responseCode >= 500 && !KEEP_TRYING.has(this.code)
  }
}

const KEEP_TRYING = new Set(['EAUTH', 'ENOAUTH', 'ETLS', 'EPROTOCOL'])

const WORDS = new Map([
  ['EAUTH', 'it refuses the user name or the password'],
  ['ENOAUTH', 'it takes no user name and password'],
  ['ETLS', 'no secure connection could be made'],
  ['EENVELOPE', 'it refuses the sender or the recipient'],
  ['EMESSAGE', 'it refuses the letter'],
  ['EDNS', 'its name does not resolve'],
  ['ETIMEDOUT', 'it does not answer in time'],
  ['ECONNECTION', 'it cannot be reached'],
  ['ESOCKET', 'it cannot be reached'],
  ['ECONNREFUSED', 'it cannot be reached'],
])

/** @param settings the server's address with its credentials, and the sender */
export function openMailer({ smtpUrl, from }: { smtpUrl: string; from: string }): Mailer {
  // Loads the library with the first letter, because most installations send none.
  const transport = async () => {
    const { createTransport } = await import('nodemailer')
    return createTransport({
      url: smtpUrl,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 20_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    })
  }
  const use = async (act: (server: Awaited<ReturnType<typeof transport>>) => Promise<unknown>) => {
    const server = await transport()
    try {
      await act(server)
    } catch (error) {
      throw new MailFailure(error)
    } finally {
      server.close()
    }
  }
  return {
    send: ({ stopUrl, ...letter }, signal) => {
      const headers = stopUrl === undefined ? {} : stopHeaders(stopUrl)
      return use((server) => beforeAbort(signal, server.sendMail({ from, ...letter, headers })))
    },
    check: () => use((server) => server.verify()),
  }
}

function stopHeaders(url: string): Record<string, string> {
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

/**
 * Waits for work or the signal. The mail library cannot be stopped, so abandoned work continues and its result is
 * ignored.
 */
async function beforeAbort(signal: AbortSignal, work: Promise<unknown>): Promise<void> {
  work.catch(() => {})
  const { promise, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop, { once: true })
  try {
    signal.throwIfAborted()
    await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
