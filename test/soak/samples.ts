import type { ServiceProcess } from '../support/service-process.ts'

/** A reading of one process. */
export interface Sample {
  at: number
  /** The number of the replica. */
  replica: number
  /** The process: a replica that was killed goes on as another one. */
  pid: number
  memory: number
  /** The 99th percentile of the event loop's delay since the reading before, in milliseconds. */
  delayMs: number
  databaseBytes: number
  walBytes: number
  queues: Queues
}

/** The pieces that wait, and for how long the oldest has waited. */
interface Queues {
  prompts: number
  channelEvents: number
  deliveries: number
  work: number
  /** Texts that wait for the index: some hundreds stay until there are more. */
  search: number
  erasures: number
  oldestSeconds: number
}

/** Reads the metrics of a process. */
export async function sample(
  { url, child }: Pick<ServiceProcess, 'url' | 'child'>,
  at: number,
  replica: number,
): Promise<Sample> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const values = (name: string, label = '') =>
    text
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
      .filter((line) => line.includes(label))
      .map((line) => Number(line.slice(line.lastIndexOf(' ') + 1)))
      .filter((value) => !Number.isNaN(value))
  const sum = (name: string, label?: string) => values(name, label).reduce((all, value) => all + value, 0)
  return {
    at,
    replica,
    pid: child.pid ?? 0,
    memory: sum('parley_process_resident_memory_bytes'),
    delayMs: sum('parley_nodejs_eventloop_lag_p99_seconds') * 1000,
    databaseBytes: sum('parley_database_bytes'),
    walBytes: sum('parley_database_wal_bytes'),
    queues: {
      prompts: sum('parley_backlog', 'kind="prompts"'),
      channelEvents: sum('parley_backlog', 'kind="events"'),
      deliveries: sum('parley_deliveries_waiting'),
      work: sum('parley_work'),
      search: sum('parley_search_backlog'),
      erasures: sum('parley_redaction_backlog'),
      oldestSeconds: Math.max(
        0,
        ...values('parley_deliveries_oldest_seconds'),
        ...values('parley_work_oldest_seconds'),
      ),
    },
  }
}
