/** The address to open once somebody may: where they wanted to go, or the first page. It never leaves the console. */
export function pageAfter(to: string | undefined): string {
  return to?.startsWith('/') && !to.startsWith('//') ? `/console${to}` : '/console'
}
