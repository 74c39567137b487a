import type { IncomingMessage } from 'node:http'

/** How often a request has a header: of some that come twice Node keeps the first and says nothing. @param name in small letters */
export function timesSent({ rawHeaders }: IncomingMessage, name: string): number {
  let times = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === name) times++
  return times
}
