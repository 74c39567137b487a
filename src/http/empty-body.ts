import type { Server } from './server.ts'

/** Lets the routes of a scope take an empty body, or any other, with any or no content type: nothing reads it. */
export function acceptAnyBody(scope: Server): void {
  scope.removeAllContentTypeParsers()
  // One that is malformed would be refused before any parser is asked.
  scope.addHook('onRequest', async ({ headers }) => {
    if (headers['content-type'] !== undefined) headers['content-type'] = 'application/octet-stream'
  })
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null))
}
