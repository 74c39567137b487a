import { spawn } from 'node:child_process'
import { join } from 'node:path'

/**
 * Runs the tests once, as `npm test` does, and passes on the signals that ask this process to end.
 * @param words the options of the run, and its test files
 * @returns its exit code
 */
export async function spawnRun(words: readonly string[], env: Record<string, string>): Promise<number> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'run.ts'), ...words], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  const pass = (signal: NodeJS.Signals) => child.kill(signal)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, pass)
  try {
    return await new Promise((done) => child.once('exit', (code) => done(code ?? 1)))
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, pass)
  }
}
