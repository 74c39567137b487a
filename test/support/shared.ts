import { after, before } from 'node:test'
import { type EngineKind, openFreshDatabase } from './databases.ts'

/**
 * Opens what the tests of a `describe` share before the first of them, and closes it after the last.
 * @returns gives what is open
 */
export function shared<Opened extends { close(): unknown }>(
  open: () => Promise<Opened>,
  close: (opened: Opened) => unknown = (opened) => opened.close(),
): () => Opened {
  let opened: Opened | undefined
  before(async () => {
    opened = await open()
  })
  after(() => opened && close(opened))
  return () => opened as Opened
}

/** Does the same with a fresh database, which is removed after the last test. */
export function sharedDatabase(engine: EngineKind): () => Awaited<ReturnType<typeof openFreshDatabase>> {
  return shared(
    () => openFreshDatabase(engine),
    async (database) => {
      await database.close()
      await database.fresh.remove()
    },
  )
}
