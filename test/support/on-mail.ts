import { MAILBOXES } from '../../src/mailboxes/topics.ts'
import type { TestAgent } from './app.ts'
import { until } from './becomes.ts'
import { type MailPeer, type SentMail, startMailPeer } from './mail-peer.ts'
import { onBothEngines, type Service } from './on-both-engines.ts'
import { shared } from './shared.ts'

interface Conversation {
  id: string
  waiting_since: string | null
}

interface MailFile {
  id: string
  kind: string
  name: string | null
  type: string
  bytes: number
  state: string
  reason?: string
}

/** The helpers that the tests of mail share. */
interface Mails {
  readonly peer: MailPeer
  until: typeof until
  newAddress(): string
  /** Resolves when an address has sent this many mails, with all of them. */
  sentTo(from: string, count: number): Promise<SentMail[]>
  conversations(agent: TestAgent): Promise<Conversation[]>
  /** Returns the messages of a conversation as `role: content`. */
  messagesIn(agent: TestAgent, conversation: Conversation | undefined): Promise<string[]>
  /** Resolves with the files of a conversation in the order of its messages, once none of them is being fetched. */
  filesOf(agent: TestAgent, conversation: Conversation | undefined): Promise<MailFile[]>
  /** Returns how each message went out, with the reason. */
  deliveries(agent: TestAgent, conversation: Conversation | undefined): Promise<string[]>
  /** Resolves when everything that a channel has received has been worked. */
  settled(channelId: number): Promise<void>
  errorsOf(agent: TestAgent): Promise<{ data: Record<string, unknown> }[]>
  /** Advances the service's clock. */
  pass(milliseconds: number): void
}

let addresses = 0

/** Runs the same tests on each storage engine, with one service and one provider of mail for all of them. */
export function onMail(
  name: string,
  tests: (service: Service, mails: Mails) => void,
  env: Record<string, string> = {},
): void {
  onBothEngines(
    name,
    (service) => {
      const peer = shared(startMailPeer)
      const database = () => service.app.app.foundation.database
      const rowsIn = async (agent: TestAgent, conversation: Conversation | undefined) =>
        (await agent.get(`/conversations/${conversation?.id}/messages?per_page=100`)).body.data as Record<
          string,
          unknown
        >[]

      tests(service, {
        get peer() {
          return peer()
        },
        until,
        newAddress: () => `help-${++addresses}@shop.example`,
        async sentTo(from, count) {
          const ofAddress = () => peer().sent.filter((one) => one.from === from)
          await peer().until(() => ofAddress().length >= count, `mail ${count} of ${from}`)
          return ofAddress()
        },
        async conversations(agent) {
          return (await agent.get('/inbox?view=all&per_page=100')).body.data
        },
        async messagesIn(agent, conversation) {
          return (await rowsIn(agent, conversation)).map(({ role, content }) => `${role}: ${content}`)
        },
        async filesOf(agent, conversation) {
          let files: MailFile[] = []
          await until(async () => {
            const rows = await rowsIn(agent, conversation)
            files = rows.flatMap(({ attachments }) => (attachments ?? []) as MailFile[])
            return files.every(({ state }) => state !== 'fetching')
          })
          return files
        },
        async deliveries(agent, conversation) {
          return (await rowsIn(agent, conversation)).map(({ delivery, delivery_reason }) =>
            [delivery, delivery_reason].filter(Boolean).join(' '),
          )
        },
        settled: (channelId) =>
          until(async () => {
            const open = await database()
              .db.selectFrom('mailbox_items')
              .select('id')
              .where('channel_id', '=', channelId)
              .where('state', 'in', ['waiting', 'sending'])
              .executeTakeFirst()
            return open === undefined
          }),
        async errorsOf({ agentId }) {
          const rows = await database()
            .db.selectFrom('events')
            .select('data')
            .where('agent_id', '=', agentId)
            .where('key', '=', 'error')
            .orderBy('id')
            .execute()
          return rows.map(({ data }) => ({ data: JSON.parse(data ?? '{}') }))
        },
        pass(milliseconds) {
          service.pass(milliseconds)
          database().wakeUps.send(MAILBOXES)
        },
      })
    },
    env,
  )
}
