/**
 * True if a text of the database is as it is today, or that of a higher revision: a process of an older version, which
 * starts again while others have been upgraded, leaves it alone.
 * @param found the text that the database has; it names its revision
 */
export function isKept(found: string | null, wanted: string | null, revision: number): boolean {
  return found === wanted || (found !== null && Number(/revision (\d+)/.exec(found)?.[1] ?? 0) > revision)
}
