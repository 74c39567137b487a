import type { Server } from './server.ts'

/**
 * Makes the routes of a scope accept an empty body or any other, with any content type or none. Nothing reads the body.
 */
export function acceptAnyBody(scope: Server): void {
  scope.removeAllContentTypeParsers()
  // A malformed content type would be refused before any parser runs.
  scope.addHook('onRequest', async ({ headers }) => {
    if (headers['content-type'] !== undefined) headers['content-type'] = 'application/octet-stream'
  })
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, _body, done) => done(null))
}
