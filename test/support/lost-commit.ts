import pg from 'pg'

type Query = (this: pg.Client, ...given: unknown[]) => unknown

/**
 * Has the next transaction of this process on PostgreSQL that sends a statement commit, and loses the answer, as when
 * the network fails at that moment.
 * @param start the beginning of the statement
 * @returns a promise that resolves once the answer is lost
 */
export function loseCommitAfter(start: string): Promise<void> {
  const prototype = pg.Client.prototype as unknown as { query: Query }
  const { query } = prototype
  const lost = Promise.withResolvers<void>()
  let sender: pg.Client | undefined
  prototype.query = function (...given) {
    const [first] = given
    const text = typeof first === 'string' ? first : String((first as { text?: string } | undefined)?.text)
    if (text.startsWith(start)) sender = this
    const answer = query.apply(this, given)
    if (text !== 'commit' || sender !== this) return answer
    prototype.query = query
    return (answer as Promise<unknown>).then(() => {
      lost.resolve()
      throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })
    })
  }
  return lost.promise
}
