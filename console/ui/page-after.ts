/** Returns the address to open after the sign-in: the wanted page, or the first one. It never leaves the console. */
export function pageAfter(to: string | undefined): string {
  return to?.startsWith('/') && !to.startsWith('//') ? `/console${to}` : '/console'
}
