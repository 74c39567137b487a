type Reason = 'unauthorized' | 'too_slow' | 'unreachable' | 'rejected'

type Failure = readonly [reason: Reason, words: string]

const LATE: Failure = ['too_slow', 'it does not answer in time']
const AWAY: Failure = ['unreachable', 'it cannot be reached']

/** The failures of mail servers in words, by the codes of nodemailer, imapflow and the operating system. */
export const mailFailures = new Map<string, Failure>([
  ['EAUTH', ['unauthorized', 'it refuses the user name or the password']],
  ['ENOAUTH', ['unauthorized', 'it takes no user name and password']],
  ['ETLS', ['unreachable', 'no secure connection could be made']],
  ['EENVELOPE', ['rejected', 'it refuses the sender or the recipient']],
  ['EMESSAGE', ['rejected', 'it refuses the letter']],
  ['EDNS', ['unreachable', 'its name does not resolve']],
  ['ETIMEDOUT', LATE],
  ['ETIMEOUT', LATE],
  ['CONNECT_TIMEOUT', LATE],
  ['GREETING_TIMEOUT', LATE],
  ['UPGRADE_TIMEOUT', LATE],
  ['ECONNECTION', AWAY],
  ['ESOCKET', AWAY],
  ['ECONNREFUSED', AWAY],
])
