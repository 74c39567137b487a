import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { z } from 'zod'
import { time } from '../http/schemas.ts'
import { canonicalJson } from './canonical-json.ts'
import { erasedSchema } from './erased.ts'
import { subjectSchema } from './subject.ts'

export const RECEIPT_TYPE = 'parley.erasure.v1'

/** The part that is signed. It holds no personal data. */
const receiptSchema = z
  .object({
    type: z.literal(RECEIPT_TYPE),
    id: z.string().describe('UUID.'),
    agent_id: z.int(),
    subject: subjectSchema,
    mode: z.enum(['scrub', 'anonymize', 'delete']),
    by: z.object({
      kind: z.enum(['operator', 'token', 'command_line', 'system']),
      id: z.int().nullable(),
    }),
    began_at: time,
    finished_at: time,
    erased: erasedSchema,
    engine: z.object({ name: z.string(), guarantees: z.array(z.string()) }),
    backups: z
      .object({ count: z.int(), times: z.array(time).describe('The newest 100.') })
      .describe('Copies by `parley backup` that were begun before; they may hold what was erased.'),
  })
  .meta({ id: 'ErasureReceipt' })

export type Receipt = z.output<typeof receiptSchema>

/** A receipt with its signature. */
export const signedReceiptSchema = z
  .object({
    receipt: receiptSchema,
    signature: z.string().describe('Ed25519, of the receipt as canonical JSON (RFC 8785); base64.'),
    public_key: z.string().describe('The key that signed, as SubjectPublicKeyInfo (DER); base64.'),
  })
  .meta({ id: 'SignedErasureReceipt' })

export type SignedReceipt = z.output<typeof signedReceiptSchema>

/** Signs a receipt with the private key of an installation. */
export function signReceipt(receipt: Receipt, key: KeyObject): SignedReceipt {
  return {
    receipt,
    signature: sign(null, Buffer.from(canonicalJson(receipt)), key).toString('base64'),
    public_key: derOf(createPublicKey(key)).toString('base64'),
  }
}

/** Tells whether the key that a receipt names has signed it. @param signed of any form that the schema has read */
export function isSigned({ receipt, signature, public_key }: SignedReceipt): boolean {
  try {
    const key = createPublicKey({ key: Buffer.from(public_key, 'base64'), format: 'der', type: 'spki' })
    if (key.asymmetricKeyType !== 'ed25519') return false
    return verify(null, Buffer.from(canonicalJson(receipt)), key, Buffer.from(signature, 'base64'))
  } catch {
    return false
  }
}

/** Returns the fingerprint of a public key: `SHA256:` and the hash of its DER form in base64. */
export function fingerprintOf(key: KeyObject | Buffer): string {
  const der = Buffer.isBuffer(key) ? key : derOf(key)
  return `SHA256:${createHash('sha256').update(der).digest('base64').replace(/=+$/, '')}`
}

function derOf(key: KeyObject): Buffer {
  return key.export({ format: 'der', type: 'spki' })
}
