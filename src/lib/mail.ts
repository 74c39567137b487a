import type { Transporter } from 'nodemailer'
import { mailFailures } from './mail-failures.ts'
import { openTransport, sendMail } from './mail-transport.ts'

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
  /**
   * - `not_sent`: the server has certainly not taken the letter, and may do so later
   * - `unknown`: the server has the whole letter and did not say whether it took it
   * - `refused`: the server refuses this letter for good (a 5xx reply to its recipient or content)
   */
  readonly outcome: 'not_sent' | 'unknown' | 'refused'
  /** A code of the library or the operating system, such as `EAUTH` or `ECONNREFUSED`. */
  readonly code: string

  /** @param isWhole true if the server has the whole letter */
  constructor(cause: unknown, isWhole: boolean) {
    const { code, responseCode } = (cause instanceof Error ? cause : {}) as {
      code?: unknown
      responseCode?: unknown
    }
    const status = typeof responseCode === 'number' ? responseCode : null
    const reply = status === null ? '' : ` with reply ${status}`
    super(`the mail server cannot be used: ${mailFailures.get(String(code))?.[1] ?? 'it failed'}${reply}`)
    this.name = 'MailFailure'
    this.code = typeof code === 'string' ? code : 'EMAIL'
    // The operator can fix a refused sign-in, so the letter waits.
    const isRefused = status !== null && status >= 500 && !KEEP_TRYING.has(this.code)
    this.outcome = isRefused ? 'refused' : isWhole && status === null ? 'unknown' : 'not_sent'
  }
}

const KEEP_TRYING = new Set(['EAUTH', 'ENOAUTH', 'ETLS', 'EPROTOCOL'])

const TIMES = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }

/**
 * @param settings the server's address with its credentials, and the sender
 * @param times how long it waits for the server
 */
export function openMailer(
  { smtpUrl, from }: { smtpUrl: string; from: string },
  times: typeof TIMES = TIMES,
): Mailer {
  const use = async (act: (server: Transporter) => Promise<unknown>) => {
    const server = await openTransport({ url: smtpUrl, ...times })
    try {
      await act(server)
    } finally {
      server.close()
    }
  }
  return {
    send: ({ stopUrl, ...letter }, signal) => {
      const headers = stopUrl === undefined ? {} : stopHeaders(stopUrl)
      const mail = { from, ...letter, headers, signal }
      return use((server) => sendMail(server, mail, (error, isWhole) => new MailFailure(error, isWhole)))
    },
    check: () =>
      use((server) =>
        server.verify().catch((error) => {
          throw new MailFailure(error, false)
        }),
      ),
  }
}

function stopHeaders(url: string): Record<string, string> {
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}
