import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A thing that is made once for all test processes of a run. */
export interface OfRun<Lent> {
  /** The facts by which a process finds it. */
  lent: Lent
  end?(): Promise<void>
}

/**
 * Lends things to the test processes of a run. Each is made when the first process asks for it, so that a run of a few
 * files does not wait for what they do not use.
 * @returns `lender`, the address that `borrow` asks
 */
export async function lend(
  makers: Record<string, () => Promise<OfRun<unknown>>>,
): Promise<{ lender: string; end(): Promise<void> }> {
  const made = new Map<string, Promise<OfRun<unknown>>>()
  const lender = createServer(async ({ url = '/' }, answer) => {
    const name = url.slice(1)
    const make = made.get(name) ?? makers[name]?.() ?? Promise.reject(new Error(`nobody lends ${name}`))
    made.set(name, make)
    await make.then(
      ({ lent }) => answer.end(JSON.stringify(lent)),
      (error) => answer.writeHead(500).end(String(error)),
    )
  })
  await once(lender.listen(0, '127.0.0.1'), 'listening')
  return {
    lender: `http://127.0.0.1:${(lender.address() as AddressInfo).port}/`,
    async end() {
      lender.close()
      for (const thing of made.values()) await (await thing.catch(() => undefined))?.end?.()
    },
  }
}

/** Borrows a thing of this run of the tests. Returns null where a test file runs by itself. */
export async function borrow<Lent>(name: string): Promise<Lent | null> {
  const lender = process.env.PARLEY_TEST_LENDER
  if (!lender) return null
  const answer = await fetch(lender + name)
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as Lent
}
