import type { IncomingMessage } from 'node:http'

/**
 * Counts how often a request has a header. Of some headers that are sent twice, Node silently keeps the first.
 * @param name in lower case
 */
export function timesSent({ rawHeaders }: IncomingMessage, name: string): number {
  let times = 0
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === name) times++
  return times
}
