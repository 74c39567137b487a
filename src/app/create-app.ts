import pino, { type Logger } from 'pino'
import type { Config } from '../config.ts'
import { beginEpoch } from '../events/epochs.ts'
import type { Foundation } from '../foundation.ts'
import { holdRequests } from '../http/hold-requests.ts'
import { createServer, type Server } from '../http/server.ts'
import { forNoAgent } from '../lib/agent-scope.ts'
import { errorCode } from '../lib/error-code.ts'
import { oneByOne } from '../lib/pacing/one-by-one.ts'
import { exportOverOtlp } from '../lib/tracing/otlp.ts'
import { currentTrace } from '../lib/tracing/tracing.ts'
import type { Deliverer } from '../notifications/deliver.ts'
import { type Insist, once } from '../storage/keep-trying.ts'
import { keepHouse } from './housekeeping.ts'
import { addGauges } from './metrics/gauges.ts'
import { buildParts } from './parts.ts'
import { mountRoutes } from './routes.ts'
import { DRAIN_LIMIT_MS, prepareWorkers } from './workers.ts'

/**
 * The first looks of all background work come one after another, so that two or three connections to the database serve
 * for a start. One that takes longer than this does not keep the next waiting.
 */
const FIRST_LOOK_MS = 250

/** The running service. */
export interface App {
  server: Server
  foundation: Foundation
  deliverer: Deliverer
  /**
   * Listens and returns the address, with the port that was free when none was set.
   * @param announce receives the address; requests wait until it is done
   * @param insist runs the calls to the database, and may repeat them until the database is available
   */
  listen(announce?: (address: string) => Promise<void>, insist?: Insist): Promise<string>
  /** Stops accepting requests, finishes the work under way, closes the database. */
  close(): Promise<void>
}

/** Assembles the service from parts, workers, housekeeping and routes; starts and ends them in order. */
export async function createApp(
  foundation: Foundation,
  logger: Logger = createLogger(foundation.config),
): Promise<App> {
  const { config, database } = foundation
  const { engine, presence } = database
  let address = ''
  const stopExport = config.otlpEndpoint === null ? null : await exportOverOtlp(config.otlpEndpoint)
  const parts = await buildParts(foundation, logger, () => config.publicUrl ?? address)
  const workers = prepareWorkers(parts)
  const house = keepHouse(parts)
  addGauges(parts)
  if (database.missing !== null) logger.error(database.missing)
  const warning = await engine.rowSecurityWarning()
  if (warning !== null) logger.warn(warning)
  database.wakeUps.onRefused(() => logger.warn('a message of another process cannot be read and is ignored'))
  const server = createServer({
    logger,
    bodyLimit: config.bodyLimit,
    trustedProxies: config.trustedProxies,
    isUnavailable: engine.isUnavailable,
  })
  const letRequestsIn = holdRequests(server)
  mountRoutes(server, parts, () => address)
  await server.ready()

  return {
    server,
    foundation,
    deliverer: workers.deliverer,
    async listen(announce = async () => {}, insist = once) {
      await insist(engine, () => parts.channels.prepare())
      address = await forNoAgent(() => listenOn(server, config))
      // After listening: a second process started by mistake has failed by now, and cannot disturb the rows
      // held by the first.
      await insist(engine, () => presence.start())
      await insist(engine, () => beginEpoch(database))
      await announce(address)
      // Turns that the last process left behind are ended before the first request.
      await house.abandoned.run()
      await forNoAgent(async () => {
        parts.hub.start()
        letRequestsIn()
        const inTurn = oneByOne(FIRST_LOOK_MS)
        if (config.roles.includes('worker')) await workers.start(inTurn)
        house.start(inTurn)
      })
      return address
    },
    async close() {
      // All at once, since the time to stop is limited. Events that turns still raise wait for the next
      // start.
      await Promise.all([
        parts.hub.close(),
        finishRequests(server).then(() => parts.inFlight.settled()),
        workers.stop(),
        house.stop(),
      ])
      await parts.redactionWork.close()
      await parts.meter.close()
      await parts.outbound.close()
      await stopExport?.()
      await foundation.close()
    },
  }
}

async function listenOn(server: Server, { host, port }: Config): Promise<string> {
  try {
    return await server.listen({ host, port })
  } catch (error) {
    const code = errorCode(error)
    const why = { EADDRINUSE: 'is taken by another program', EACCES: 'may not be used by this user' }[code]
    if (why) throw new Error(`PARLEY_PORT ${port} of ${host} ${why}: set another one`, { cause: error })
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new Error(`PARLEY_HOST ${host} is no address of this machine`, { cause: error })
    throw error
  }
}

/** Accepts no more requests, and waits for the answers under way. */
async function finishRequests(server: Server): Promise<void> {
  // A client that never reads its answer must not keep the process alive for ever.
  const impatient = setTimeout(() => server.server.closeAllConnections(), DRAIN_LIMIT_MS)
  // Connections that become idle during the wait would stay open until their time-out.
  const sweep = setInterval(() => server.server.closeIdleConnections(), 50)
  await server.close()
  clearTimeout(impatient)
  clearInterval(sweep)
}

/** Creates the logger. It writes to stderr: stdout is for the output that a person or a script reads. */
export function createLogger(config: Pick<Config, 'logLevel'>): Logger {
  const mixin = () => {
    const trace = currentTrace()
    return trace === null ? {} : { trace_id: trace.traceId }
  }
  return pino({ level: config.logLevel, base: null, mixin }, pino.destination({ dest: 2, sync: false }))
}
