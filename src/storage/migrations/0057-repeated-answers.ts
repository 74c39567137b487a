import { addColumns } from '../migration.ts'

/** Lets an `Idempotency-Key` name the message that an operator's answer created. */
export const up = addColumns('idempotency_keys', { message_id: 'id' })
