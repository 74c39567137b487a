/** Returns the code of an error of Node, of the operating system or of the database; `''` if it has none. */
export function errorCode(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : ''
}
