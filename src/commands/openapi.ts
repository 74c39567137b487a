import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../app.ts'
import { openFoundation } from '../foundation.ts'
import type { Command } from './command.ts'

export const openapi: Command = {
  name: 'openapi',
  usage: '',
  summary: 'Print the OpenAPI 3.1 document',
  async run({ config, print }) {
    // The routes want a database; an empty one for the moment keeps this command away from the real one.
    const dataDir = await mkdtemp(join(tmpdir(), 'parley-openapi-'))
    try {
      const alone = { databaseUrl: null, masterKey: null, dataDir, roles: ['api'] as const }
      const foundation = await openFoundation({ ...config, ...alone })
      const app = await createApp(foundation)
      const document = app.server.swagger()
      await app.close()
      print(document, JSON.stringify(document, null, 2).split('\n'))
    } finally {
      await rm(dataDir, { recursive: true, force: true })
    }
    return 0
  },
}
