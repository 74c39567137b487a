import { addColumns } from '../migration.ts'

/** An `Idempotency-Key` may name the message that an operator's answer has made. */
export const up = addColumns('idempotency_keys', { message_id: 'id' })
