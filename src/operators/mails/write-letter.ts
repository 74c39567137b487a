import type { Letter } from '../../lib/mail.ts'
import type { OperatorMailRow, OperatorRow } from '../tables.ts'

/** Writes the letter with a link. It mentions nothing that the recipient does not know. */
export function writeLetter(
  kind: OperatorMailRow['kind'],
  { name, email }: Pick<OperatorRow, 'name' | 'email'>,
  url: string,
): Letter {
  const { subject, intro } = LETTERS[kind]
  const text = [
    `Hello ${name},`,
    intro,
    url,
    'The link works once, within seven days. If you did not expect this letter, ignore it.',
  ]
  return { to: { name, address: email }, subject, text: `${text.join('\n\n')}\n` }
}

const LETTERS = {
  invitation: {
    subject: 'You are invited to Parley',
    intro: 'you are invited to answer conversations in Parley. Open this link to choose a password and join:',
  },
  reset: {
    subject: 'Choose a new password for Parley',
    intro: 'your old password for Parley no longer works. Open this link to choose a new one:',
  },
} as const
