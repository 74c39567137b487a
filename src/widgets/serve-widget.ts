import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import files from '@fastify/static'
import { ApiError } from '../errors.ts'
import type { Server } from '../http/server.ts'

/** The folder to which `npm run build:widget` writes the widget; the packed program has it at the same place. */
const BUILT = fileURLToPath(new URL('../../widget/dist', import.meta.url))

/** Lets every site load the widget, also one that shares nothing with others. */
const forEverybody = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}

/** Compressed files, which are served in place of the originals. */
const compressed = ['**/*.gz', '**/*.br']

/**
 * Serves the script that web sites include, and the parts that it loads when a visitor opens the chat. Those parts have
 * a hash in their name and never change; browsers request the script itself again after five minutes, and so they do
 * `widget/panel.js`, by which pages that were loaded before an upgrade find the present parts.
 * @param built the folder that holds them
 */
export function serveWidget(server: Server, built: string = BUILT): void {
  if (!existsSync(join(built, 'widget.js'))) {
    server.get('/widget.js', { schema: { hide: true } }, async () => {
      throw new ApiError('unavailable', {
        message: 'The widget has not been built. `npm run build:widget` builds it.',
      })
    })
    return
  }
  const common = {
    index: false,
    preCompressed: true,
    decorateReply: false,
    schemaHide: true,
    // Adds a route for each file, so that anything else is not found, folders included.
    wildcard: false,
  } satisfies Partial<files.FastifyStaticOptions>
  server.register(async (scope: Server) => {
    scope.addHook('onRequest', async (_, reply) => void reply.headers(forEverybody))
    scope.register(files, {
      ...common,
      root: join(built, 'assets'),
      prefix: '/widget/assets/',
      globIgnore: compressed,
      immutable: true,
      maxAge: '365d',
    })
    scope.register(files, {
      ...common,
      root: built,
      prefix: '/',
      globIgnore: ['assets/**', ...compressed],
      maxAge: '5m',
    })
  })
}
