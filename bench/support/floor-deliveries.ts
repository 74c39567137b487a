import pg from 'pg'
import { openFloorDatabase } from './floor-database.ts'

/** The rows of deliveries and nothing else. */
interface FloorDeliveries {
  /**
   * Stores the sent deliveries and takes the next ones, in one transaction that is on disk when this resolves:
   * deliveries that a dying process had taken are never sent again.
   */
  step(sent: readonly number[], body: string, limit: number): Promise<number[]>
  close(): Promise<void>
}

export function openSqliteDeliveries(file: string): FloorDeliveries {
  const { database, unit } = openFloorDatabase(file)
  const store = database.prepare(
    "update deliveries set state = 'delivered', finished_at = ?, status = 200, duration_ms = 1, answer = 'ok', payload = ? where id = ?",
  )
  const take = database.prepare(
    "update deliveries set state = 'sending', sent_at = ? where id in (select id from deliveries where state = 'pending' order by id limit ?) returning id",
  )
  return {
    step: (sent, body, limit) =>
      unit(() => {
        const at = new Date().toISOString()
        for (const id of sent) store.run(at, body, id)
        return take.all(at, limit).map(({ id }) => Number(id))
      }),
    async close() {
      database.close()
    },
  }
}

export async function openPostgresDeliveries(connectionString: string): Promise<FloorDeliveries> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  return {
    async step(sent, body, limit) {
      const { rows } = await client.query<{ id: string }>({
        name: 'step',
        text: `
          with sent as (
            update deliveries set state = 'delivered', finished_at = $1, status = 200, duration_ms = 1, answer = 'ok',
              payload = $2 where id = any($3::bigint[])
          )
          update deliveries set state = 'sending', sent_at = $1
          where id in (select id from deliveries where state = 'pending' order by id limit $4) returning id`,
        values: [new Date().toISOString(), body, sent, limit],
      })
      return rows.map(({ id }) => Number(id))
    },
    close: () => client.end(),
  }
}

/** Sends all waiting deliveries, as many at once as allowed. */
export async function drainFloor(
  store: FloorDeliveries,
  body: string,
  atOnce: number,
  post: () => Promise<void>,
): Promise<void> {
  let sent: number[] = []
  let underWay = 0
  let waiting = () => {}
  for (;;) {
    const stored = sent
    sent = []
    const taken = await store.step(stored, body, atOnce - underWay)
    if (taken.length === 0 && underWay === 0 && sent.length === 0) return
    underWay += taken.length
    const ended = Promise.withResolvers<void>()
    waiting = ended.resolve
    for (const id of taken)
      void post().then(() => {
        underWay--
        sent.push(id)
        waiting()
      }, ended.reject)
    if (sent.length === 0) await ended.promise
  }
}
