import { Socket } from 'node:net'
import helmet from 'helmet'
import { IncomingMessage, ServerResponse } from '../lib/node-http.ts'

/**
 * Returns the headers that helmet sets on an answer, and the one that forbids caching. They are the same for every
 * answer and are made only once, since making them costs more than many a query.
 */
export function securityHeaders(): Record<string, string> {
  const protect = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
    },
  })
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  protect(request, response, (error) => {
    if (error) throw error
  })
  // Public answers replace this header with their own.
  return { ...(response.getHeaders() as Record<string, string>), 'cache-control': 'no-store' }
}
