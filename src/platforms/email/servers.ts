import { mailFailures } from '../../lib/mail-failures.ts'
import { OutboundError } from '../../lib/outbound/outbound.ts'
import { isObject } from '../../lib/untrusted-json.ts'
import { type CallOutcome, PlatformError, type PlatformHttp } from '../platform.ts'
import type { MailServer } from './settings.ts'

/** The account on a mail server, with the address that was judged. */
export interface Account {
  /** The address to connect to. The name is only for the certificate. */
  address: string
  host: string
  port: number
  security: NonNullable<MailServer['security']>
  user: string
  password: string
}

const PORTS = {
  imap: { tls: 993, starttls: 143, none: 143 },
  smtp: { tls: 465, starttls: 587, none: 25 },
}

/**
 * Returns the account on a server, once its address may be connected to. Passwords go unencrypted only to a server that
 * is not public.
 * @throws PlatformError
 */
export async function accountOn(
  http: PlatformHttp,
  protocol: 'imap' | 'smtp',
  server: MailServer | undefined,
): Promise<Account> {
  const { host, user, password, security = 'tls' } = server ?? {}
  if (!host) throw new PlatformError('refused', 'rejected', `the channel has no ${protocol}.host`)
  if (!user || !password)
    throw new PlatformError(
      'refused',
      'unauthorized',
      `the channel has no ${protocol}.user or ${protocol}.password`,
    )
  const { address, isPublic } = await http.addressOf(host).catch((error: unknown) => {
    if (!(error instanceof OutboundError)) throw error
    const outcome = error.reason === 'blocked' ? 'refused' : 'not_sent'
    throw new PlatformError(outcome, 'unreachable', `the mail server cannot be used: ${error.message}`)
  })
  if (security === 'none' && isPublic)
    throw new PlatformError('refused', 'unreachable', 'a public mail server is not used without encryption')
  return { address, host, port: server?.port ?? PORTS[protocol][security], security, user, password }
}

/** Returns what TLS needs to know of a server. */
export function tlsOf({ address, host }: Account) {
  return host === address ? {} : { servername: host }
}

/**
 * Returns the error for a failure of a mail server. Nothing that the server says is repeated: it may name people.
 * @param outcome what is certain when the server gave no answer
 */
export function mailError(error: unknown, outcome: CallOutcome): PlatformError {
  if (error instanceof PlatformError) return error
  const { code, responseCode, responseStatus, authenticationFailed } = isObject(error) ? error : {}
  // A fault of the service itself.
  if (code === undefined && responseStatus === undefined && authenticationFailed !== true) throw error
  const name = authenticationFailed === true ? 'EAUTH' : String(code)
  const status = typeof responseCode === 'number' ? responseCode : null
  const [reason, words] =
    mailFailures.get(name) ??
    (responseStatus === undefined
      ? ['unreachable', 'the connection failed']
      : ['rejected', 'it refuses a command'])
  if (reason === 'unauthorized')
    return new PlatformError('refused', reason, `the mail server cannot be used: ${words}`, { status })
  if (status === null)
    return new PlatformError(outcome, reason, `the mail server cannot be used: ${words}`, {
      cause: nameOnly(name),
    })
  // A reply is an answer: 4xx may be repeated, 5xx would be refused again.
  return new PlatformError(
    status >= 500 ? 'refused' : 'not_sent',
    'rejected',
    `the mail server answered with reply ${status}`,
    { status },
  )
}

function nameOnly(code: string): Error {
  return new Error(`the library's code is ${/^\w{1,40}$/.test(code) ? code : 'unknown'}`)
}
