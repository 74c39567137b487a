import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startPostgres } from './postgres.ts'
import { makeTemplateOfRun } from './postgres-template.ts'

/** The server of a run of tests, and the database with the schema that each test's database copies. */
export interface LentPostgres {
  url: string
  template: string
}

/**
 * Starts the PostgreSQL of a run when the first test process asks for it. That takes two seconds, which most single
 * files need not wait for.
 * @returns `lender`, the address that `borrowPostgres` asks
 */
export async function lendPostgres(): Promise<{ lender: string; stop(): Promise<void> }> {
  let started: ReturnType<typeof start> | undefined
  const lender = createServer(async (_, answer) => {
    started ??= start()
    const { url, template } = await started.catch((error) => ({ url: String(error), template: null }))
    answer
      .writeHead(template ? 200 : 500)
      .end(template ? JSON.stringify({ url, template: template.name }) : url)
  })
  await once(lender.listen(0, '127.0.0.1'), 'listening')
  return {
    lender: `http://127.0.0.1:${(lender.address() as AddressInfo).port}/`,
    async stop() {
      lender.close()
      const { template, server } = (await started?.catch(() => undefined)) ?? {}
      await template?.drop()
      await server?.stop()
    },
  }
}

async function start() {
  const server = await startPostgres()
  try {
    return { server, url: server.url, template: await makeTemplateOfRun(server.url) }
  } catch (error) {
    await server.stop()
    throw error
  }
}

/** Asks for the PostgreSQL of this run of tests. Returns null where a test file runs by itself. */
export async function borrowPostgres(): Promise<LentPostgres | null> {
  const lender = process.env.PARLEY_TEST_POSTGRES_OF_RUN
  if (!lender) return null
  const answer = await fetch(lender)
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as LentPostgres
}
