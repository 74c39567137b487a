import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createApp } from '../app/create-app.ts'
import type { Config } from '../config.ts'
import { openFoundation } from '../foundation.ts'
import type { Command } from './command.ts'

export const openapi: Command = {
  name: 'openapi',
  usage: '',
  summary: 'Print the OpenAPI 3.1 document',
  async run({ config, print }) {
    const document = await readDocument(config)
    print(document, JSON.stringify(document, null, 2).split('\n'))
    return 0
  },
}

/** Reads the document from routes on an empty, temporary database, so that the command never opens the real one. */
async function readDocument(config: Config): Promise<object> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-openapi-'))
  try {
    const alone = { databaseUrl: null, masterKey: null, dataDir, roles: ['api'] as const }
    const app = await createApp(await openFoundation({ ...config, ...alone }))
    const document = app.server.swagger()
    await app.close()
    return document
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}
