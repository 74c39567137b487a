import { setTimeout as wait } from 'node:timers/promises'
import { drawing } from '../support/chance.ts'
import type { EngineKind } from '../support/databases.ts'
import { startModelServer } from '../support/model-server.ts'
import { addChannel, startPlatformPeer } from '../support/platform-peer.ts'
import { addNotification, startReceiver } from '../support/receiver.ts'
import {
  databaseWithAgent,
  firstAgentOf,
  type ServiceProcess,
  settingsOn,
  startService,
} from '../support/service-process.ts'
import { checkErased, checkPromises, type Promised } from './invariants.ts'
import { type Ledger, openLedger } from './ledger.ts'
import { createLoad } from './load.ts'
import { type Sample, sample } from './samples.ts'

interface SoakOptions {
  engine: EngineKind
  /** The processes that serve; one on SQLite. */
  replicas: number
  /** The requests a second. */
  rate: number
  seconds: number
  /** Tells how far it is. */
  report?: (line: string) => void
}

export interface SoakResult extends Omit<SoakOptions, 'report'> {
  ledger: Ledger
  samples: Sample[]
  promises: Promised[]
}

/** Matches the last word of a text that no other text has. */
const LAST_MARK = /.*(mark\d+q\d+|said\d+)/s
/** The kills of a soak: one falls near the end of each part. */
const KILLS = 5
/** The part of answers that receivers of webhooks refuse, and the part that they do not give. */
const [REFUSED, BROKEN_OFF] = [5, 2]

/** Puts real processes of the service under a mixed load, kills one now and then, and checks what was promised. */
export async function soak({ report = () => {}, ...options }: SoakOptions): Promise<SoakResult> {
  const { engine, replicas, rate, seconds } = options
  await using model = await startModelServer()
  await using platform = await startPlatformPeer()
  await using receiver = await startReceiver()
  await using resources = new AsyncDisposableStack()
  const database = resources.adopt(await databaseWithAgent(engine), (database) => database.remove())
  const env = settingsOn(database, {
    PARLEY_MODEL_URL: model.url,
    PARLEY_PRIVATE_TARGETS: '127.0.0.1/32',
    PARLEY_LOG_LEVEL: 'fatal',
  })
  const first = await startService(env)
  const agentOf = firstAgentOf(first)
  const services: (ServiceProcess | null)[] = [first]
  const end = () => Promise.all(services.map((service) => service?.end('SIGTERM')))
  resources.defer(() => end().then(() => {}))
  while (services.length < replicas) services.push(await startService(env))

  // Without this it would also say again what the user had asked before, if that was not answered.
  model.answerFor = ({ messages }) => ({
    text: LAST_MARK.exec(JSON.stringify(messages.at(-1)?.content))?.[1] ?? 'none',
  })
  const ledger = openLedger()
  const samples: Sample[] = []
  const draw = drawing()
  receiver.respond = (response) => {
    const chance = draw(1, 100)
    if (chance <= BROKEN_OFF) return void response.destroy()
    if (chance <= BROKEN_OFF + REFUSED) response.statusCode = 500
    response.end('ok')
  }
  const notification = await addNotification(agentOf(first), receiver.url, { events: ['response_end'] })
  const channel = await addChannel(agentOf(first), 'messenger-three', platform)
  const serving = () => services.filter((service) => service !== null)
  const agent = () => {
    const all = serving()
    const one = all[draw(0, all.length - 1)]
    return one ? agentOf(one) : null
  }
  const load = createLoad({ ledger, draw, agent, channel })

  const stop = new AbortController()
  const everyMs = Math.min(2000, (seconds * 1000) / 20)
  const reading = async () => {
    while (!stop.signal.aborted) {
      for (const [replica, service] of services.entries()) {
        // One that is being killed gives no answer.
        const read = service && (await sample(service, ledger.now(), replica).catch(() => null))
        if (read) samples.push(read)
      }
      // The requests of hours would fill this process.
      model.requests.length = 0
      platform.requests.length = 0
      receiver.requests.length = 0
      await wait(everyMs)
    }
  }
  let answeredAtKill = 0
  let isKilling = true
  const killing = async () => {
    for (let kill = 0; kill < KILLS; kill++) {
      const part = (seconds * 1000) / (KILLS + 1)
      await wait(Math.max(0, part * (kill + 1) - ledger.now()))
      // Where starts are slow, a part is over before a prompt is answered.
      const before = answeredAtKill
      while (ledger.answered.length === before) await wait(50)
      answeredAtKill = ledger.answered.length
      const victim = draw(0, services.length - 1)
      const killed = services[victim]
      services[victim] = null
      const at = ledger.now()
      await killed?.end('SIGKILL')
      services[victim] = await startService(env)
      ledger.kills.push({ at, backAfterMs: ledger.now() - at })
      report(
        `${(at / 1000).toFixed(0)} s: process ${killed?.child.pid} was killed, ${ledger.answered.length} prompts so far`,
      )
    }
  }
  const sampled = reading()
  const killed = killing().finally(() => {
    isKilling = false
  })
  await Promise.all([load.run(rate, () => !isKilling && ledger.now() >= seconds * 1000), killed])
  await load.finish()
  report('the load has ended, checking')
  const promises = await checkPromises({
    engine,
    ledger,
    samples,
    agent: agentOf(serving()[0] as ServiceProcess),
    replicas,
    received: receiver.received,
    sent: platform.sent,
    notification: notification.id,
  })
  stop.abort()
  await sampled
  await end()
  promises.push(await checkErased(ledger, database))
  return { ...options, ledger, samples, promises }
}
