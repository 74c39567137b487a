import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Rows } from './floor-store.ts'
import { type BenchServer, freePort, startParley, startServer } from './servers.ts'

/**
 * Starts the floor of a stored prompt, over a database that Parley has made with its first agent and that nobody else
 * uses meanwhile.
 * @param target the URL of the model
 */
export async function startFloor(
  name: string,
  target: string,
  rows: Rows,
  threads: 'one' | 'two' = 'one',
): Promise<BenchServer> {
  const directory = await mkdtemp(join(tmpdir(), 'parley-bench-'))
  await (await startParley({}, directory)).stop()
  const port = await freePort()
  const file = join(directory, 'parley.db')
  const words = ['bench/support/floor-server.ts', `${port}`, target, file, rows, threads]
  const server = await startServer(name, words, port)
  return {
    ...server,
    async stop() {
      await server.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
