import { timingSafeEqual } from 'node:crypto'

/** Compares two texts in time that does not reveal where they differ. Only their lengths may show. */
export function equalInConstantTime(left: string, right: string): boolean {
  const a = Buffer.from(left)
  const b = Buffer.from(right)
  return a.length === b.length && timingSafeEqual(a, b)
}
