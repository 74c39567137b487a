import { addColumns, type Step } from '../migration.ts'

/** The ids that answers by e-mail refer to, and the place up to which an account was read. */
export const steps: readonly Step[] = [
  addColumns('mailboxes', { answers_to: 'text' }),
  addColumns('channel_connections', { position: 'text' }),
]
