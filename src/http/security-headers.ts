import { Socket } from 'node:net'
import helmet from 'helmet'
import { IncomingMessage, ServerResponse } from '../lib/node-http.ts'

/**
 * The headers that helmet sets on an answer, made once: they are the same on all, and making them anew costs more
 * than many a query.
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
  return response.getHeaders() as Record<string, string>
}
