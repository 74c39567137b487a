import { after, before, beforeEach, describe } from 'node:test'
import type { EventKey } from '../../src/events/keys.ts'
import type { Clock } from '../../src/lib/clock.ts'
import { startApp, type TestAgent, type TestApp } from './app.ts'
import { engines } from './databases.ts'
import { type ModelServer, startModelServer } from './model-server.ts'

/** The service and the model server that the tests of a file share on one engine. */
export interface Service {
  readonly engine: (typeof engines)[number]
  readonly app: TestApp
  /** The model server, reset before each test. */
  readonly model: ModelServer
  /**
   * The service's clock, which is the real one at the beginning of each test. When it is set, background work looks for
   * what is due.
   */
  clock: Clock
  /** Has the service's clock go on by some time. */
  pass(milliseconds: number): void
  /** Creates a new agent, so that other tests do not affect it. */
  addAgent: TestApp['addAgent']
  /** Returns the keys of the events that an agent raised, in order. */
  eventsOf(agent: TestAgent): Promise<EventKey[]>
}

/** Runs the same tests on each storage engine, with one service for all of them. */
export function onBothEngines(
  name: string,
  tests: (service: Service) => void,
  env: Record<string, string> = {},
): void {
  for (const engine of engines) {
    describe(`${name} on ${engine}`, () => {
      let app: TestApp
      let model: ModelServer
      let clock: Clock = Date.now
      const service: Service = {
        engine,
        get app() {
          return app
        },
        get model() {
          return model
        },
        get clock() {
          return clock
        },
        set clock(moved) {
          clock = moved
          app.lookAgain()
        },
        pass(milliseconds) {
          const present = clock
          service.clock = () => present() + milliseconds
        },
        addAgent: (options) => app.addAgent(options),
        async eventsOf({ agentId }) {
          const { db } = app.app.foundation.database
          const rows = await db
            .selectFrom('events')
            .select('key')
            .where('agent_id', '=', agentId)
            .orderBy('id')
            .execute()
          return rows.map(({ key }) => key as EventKey)
        },
      }
      before(async () => {
        model = await startModelServer()
        const settings = { PARLEY_MODEL_URL: model.url, PARLEY_MODEL: 'test-model', ...env }
        app = await startApp(engine, settings, () => clock())
      })
      after(async () => {
        // Both are closed together, because after a failed test a turn may still wait for the model.
        await Promise.all([app?.close(), model?.close()])
      })
      beforeEach(() => {
        model.reset()
        clock = Date.now
      })
      tests(service)
    })
  }
}
