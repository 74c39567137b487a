import { randomBytes } from 'node:crypto'

const LENGTH = 65_536

/** What is written to find out whether there is room: not to be compressed. */
export function probeFiller(): string {
  return randomBytes(LENGTH / 2).toString('hex')
}
