import { randomBytes } from 'node:crypto'

const LENGTH = 65_536

/** Random text, which cannot be compressed, to test whether the disk has room. */
export function probeFiller(): string {
  return randomBytes(LENGTH / 2).toString('hex')
}
