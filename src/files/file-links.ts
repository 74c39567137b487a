import { createHmac } from 'node:crypto'
import type { Clock } from '../lib/clock.ts'
import { equalInConstantTime } from '../lib/secrets/constant-time.ts'

const VALID_MS = 10 * 60_000

/** The parts of a link to a file. The signature proves that the service made it. */
interface LinkedFile {
  agentId: number
  fileId: string
  /** Milliseconds since the epoch. */
  expires: number
  signature: string
}

/** Links with which anybody can read one file for ten minutes. */
export interface FileLinks {
  /** Returns a new link to a file. */
  linkTo(file: Pick<LinkedFile, 'agentId' | 'fileId'>): string
  /** Tells whether a link was made here and is not too old. */
  isValid(link: LinkedFile): boolean
}

/** @param baseUrl returns the public address of the API; ends in /api/v1 */
export function createFileLinks(key: string, baseUrl: () => string, clock: Clock): FileLinks {
  const sign = (agentId: number, fileId: string, expires: number) =>
    createHmac('sha256', key).update(`${agentId}/${fileId}/${expires}`).digest('base64url')
  return {
    linkTo({ agentId, fileId }) {
      const expires = clock() + VALID_MS
      const query = new URLSearchParams({
        expires: String(expires),
        signature: sign(agentId, fileId, expires),
      })
      return `${baseUrl()}/files/${agentId}/${fileId}?${query}`
    },
    isValid({ agentId, fileId, expires, signature }) {
      return equalInConstantTime(signature, sign(agentId, fileId, expires)) && clock() < expires
    },
  }
}
