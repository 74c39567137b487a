import type { OfRun } from './lend.ts'
import { startPostgres } from './postgres.ts'
import { makeTemplateOfRun } from './postgres-template.ts'

/** The server of a run of tests, and the database with the schema that each test's database copies. */
export interface LentPostgres {
  url: string
  template: string
}

/** Starts the PostgreSQL of a run. */
export async function postgresOfRun(): Promise<OfRun<LentPostgres>> {
  const server = await startPostgres()
  try {
    const template = await makeTemplateOfRun(server.url)
    const end = async () => {
      await template.drop()
      await server.stop()
    }
    return { lent: { url: server.url, template: template.name }, end }
  } catch (error) {
    await server.stop()
    throw error
  }
}
