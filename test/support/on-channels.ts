import { afterEach } from 'node:test'
import { MAILBOXES } from '../../src/mailboxes/topics.ts'
import type { TestAgent } from './app.ts'
import { until } from './becomes.ts'
import { onBothEngines, type Service } from './on-both-engines.ts'
import { PERSON, type PlatformPeer, startPlatformPeer, type TestChannel } from './platform-peer.ts'
import { shared } from './shared.ts'

export const DAY_MS = 24 * 60 * 60 * 1000

/** The helpers that the tests of channels share: the platforms' side, and the service's data about it. */
export interface Chats {
  /** The platforms; nothing has been sent to them when a test begins. */
  readonly peer: PlatformPeer
  database(): Service['app']['app']['foundation']['database']
  /** Returns the external id of a chat's conversation; a test that names no chat means that of PERSON. */
  externalId(channel: TestChannel, thread?: string): string
  /** Resolves when everything accepted has been worked. */
  settled(channel: TestChannel): Promise<void>
  /** Tells whether no worker has leased the channel's only mailbox. */
  isFree(channel: TestChannel): Promise<boolean>
  /** Advances the service's clock. */
  pass(milliseconds: number): void
  /** Returns the messages of a chat as `role: content`. */
  messagesOf(agent: TestAgent, channel: TestChannel, thread?: string): Promise<string[]>
  /** Returns the messages of a chat as the API answers them. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  rowsOf(agent: TestAgent, channel: TestChannel, thread?: string): Promise<any[]>
  /** Returns the items of a channel in order. */
  states(channel: TestChannel): Promise<ItemState[]>
  /** Returns the data of an agent's `error` events. */
  errorsOf(agent: TestAgent): Promise<ErrorEvent[]>
}

interface ItemState {
  kind: string
  state: string
  error: string | null
  attempts: number
  payload: string | null
}

interface ErrorEvent {
  conversation_id: string | null
  completion_id: string | null
  data: Record<string, unknown>
}

/** Runs the same tests on each storage engine, with one service and one peer for all of them. */
export function onChannels(
  name: string,
  tests: (service: Service, chats: Chats) => void,
  env: Record<string, string> = {},
): void {
  onBothEngines(
    name,
    (service) => {
      const peer = shared(startPlatformPeer)
      afterEach(() => {
        peer().sent.length = 0
        peer().sentFiles.length = 0
        peer().calls.length = 0
        peer().requests.length = 0
      })

      const database = () => service.app.app.foundation.database
      const externalId = ({ kind, id }: TestChannel, thread: string = PERSON[kind]) =>
        `${kind}:${id}:${thread}`

      async function rowsOf(agent: TestAgent, channel: TestChannel, thread?: string) {
        const { body } = await agent.get(
          `/conversations/${externalId(channel, thread)}/messages?per_page=100`,
        )
        return body.data
      }

      tests(service, {
        get peer() {
          return peer()
        },
        database,
        externalId,
        rowsOf,
        async settled(channel) {
          await until(async () => {
            const open = await database()
              .db.selectFrom('mailbox_items')
              .select('id')
              .where('channel_id', '=', channel.id)
              .where('state', 'in', ['waiting', 'sending'])
              .executeTakeFirst()
            return open === undefined
          })
        },
        async isFree(channel) {
          const row = await database()
            .db.selectFrom('mailboxes')
            .select('leased_until')
            .where('channel_id', '=', channel.id)
            .executeTakeFirst()
          return row?.leased_until === null
        },
        pass(milliseconds) {
          service.pass(milliseconds)
          database().wakeUps.send(MAILBOXES)
        },
        async messagesOf(agent, channel, thread) {
          const rows = await rowsOf(agent, channel, thread)
          return rows.map(({ role, content }: { role: string; content: string }) => `${role}: ${content}`)
        },
        async states(channel) {
          return database()
            .db.selectFrom('mailbox_items')
            .select(['kind', 'state', 'error', 'attempts', 'payload'])
            .where('channel_id', '=', channel.id)
            .orderBy('id')
            .execute()
        },
        async errorsOf({ agentId }) {
          const rows = await database()
            .db.selectFrom('events')
            .select(['conversation_id', 'completion_id', 'data'])
            .where('agent_id', '=', agentId)
            .where('key', '=', 'error')
            .orderBy('id')
            .execute()
          return rows.map(({ data, ...row }) => ({ ...row, data: JSON.parse(data ?? '{}') }))
        },
      })
    },
    env,
  )
}

export { kinds } from './platform-peer.ts'
