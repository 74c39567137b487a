import { z } from 'zod'
import { commonSettings } from '../wire.ts'

const line = (longest: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(longest)
    .refine((text) => !/\p{Cc}/u.test(text), 'must be one line')

const ADDRESS = /^[^\s@<>"(),:;\\[\]]{1,64}@[^\s@<>"(),:;\\[\]]{1,120}$/

const mailAddress = z.string().regex(ADDRESS, 'must be an address such as help@example.com')

/** A mail server and the account there. */
const server = z.strictObject({
  host: z
    .string()
    .max(253)
    .regex(/^(?:[a-z0-9_]([a-z0-9_.-]*[a-z0-9])?|[0-9a-f:.]+)$/i, 'must be the name of a server')
    .optional(),
  port: z.coerce.number().int().min(1).max(65_535).optional(),
  user: line(200).optional(),
  password: line(500).optional(),
  security: z.enum(['tls', 'starttls', 'none']).optional(),
})

export const emailSettings = z.strictObject({
  address: mailAddress.optional(),
  name: line(100).optional(),
  signature: z.string().max(2000).optional(),
  imap: server.optional(),
  smtp: server.optional(),
  allow: z
    .array(
      z
        .string()
        .max(200)
        .regex(/^(?:[^\s@]+@)?[^\s@]+\.[^\s@]+$/, 'must be an address or a domain'),
    )
    .max(200)
    .optional(),
  authserv_id: line(253).optional(),
  thread_key: z
    .string()
    .regex(/^[\w-]{32}$/)
    .optional(),
  debounce_ms: commonSettings.debounce_ms,
})

export type EmailSettings = z.output<typeof emailSettings>
export type MailServer = z.output<typeof server>

/** Returns an address in the form in which addresses are compared. */
export function plainAddress(address: string): string {
  return address.trim().toLowerCase()
}

/** Returns an address that mail can be sent to, in the form in which addresses are compared; otherwise null. */
export function toAddress(text: string): string | null {
  const address = plainAddress(text)
  return ADDRESS.test(address) ? address : null
}

/** Tells whether an address is the channel's own. */
export function isOwn(address: string, { address: own, imap, smtp }: EmailSettings): boolean {
  return [own, imap?.user, smtp?.user].some((one) => one !== undefined && plainAddress(one) === address)
}

/** Tells whether mail from an address is read: that of everybody, or of the addresses and domains that are listed. */
export function isAllowed(address: string, { allow = [] }: EmailSettings): boolean {
  if (allow.length === 0) return true
  const domain = address.slice(address.lastIndexOf('@') + 1)
  return allow.some((one) => [address, domain].includes(plainAddress(one)))
}
