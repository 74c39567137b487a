import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, it } from 'node:test'
import { sql } from 'kysely'
import { readAgent } from '../../src/agents/agent.ts'
import { chooseEmbedders } from '../../src/agents/embedder-of-agent.ts'
import { chooseTranscribers } from '../../src/agents/transcriber-of-agent.ts'
import { createOutbound, parsePrivateTargets } from '../../src/lib/outbound/outbound.ts'
import { type SentPattern, sealedPlaces } from '../../src/lib/secrets/sealed-places.ts'
import type { TestAgent } from '../support/app.ts'
import { onBothEngines, type Service } from '../support/on-both-engines.ts'
import { automationsEnd, made } from '../support/on-rules.ts'
import { type Peer, type PeerRequest, startPeer } from '../support/peer.ts'

const SECRET = 'whsec_c2VjcmV0IG9mIG9uZSBvcmlnaW4gYWxvbmU='
/** The part of it that may stand in the address of a call. */
const IN_ADDRESS = SECRET.slice(0, -1)

/** The ways in which a secret gets to a place, its address is moved without it, and it is sent. */
interface Case {
  name: string
  /** Returns the id of the row. */
  save(agent: TestAgent, url: string): Promise<number>
  move(agent: TestAgent, id: number, url: string): Promise<unknown>
  use(service: Service, agent: TestAgent, id: number): Promise<unknown>
}

const nobody = 'http://127.0.0.1:9'
const ask = (_: Service, agent: TestAgent) =>
  agent.post('/chat/completions', { messages: [{ role: 'user', content: 'Hello' }] })

function setting(name: string, patch: (server: object) => object, use: Case['use']): Case {
  return {
    name,
    async save(agent, url) {
      const { status, text } = await agent.patch('/agent', patch({ url, api_key: SECRET }))
      assert.equal(status, 200, text)
      return agent.agentId
    },
    move: (agent, _, url) => agent.patch('/agent', patch({ url })),
    use,
  }
}

function resource(
  name: string,
  path: string,
  body: (url: string, secret: object) => object,
  use: string,
): Case {
  return {
    name,
    save: (agent, url) => made(agent, path, body(url, { secret: SECRET })),
    move: (agent, id, url) => {
      const { kind: _, ...patch } = body(url, {}) as Record<string, unknown>
      return agent.patch(`${path}/${id}`, patch)
    },
    use: (_, agent, id) => agent.post(`${path}/${id}/${use}`, use === 'try' ? { ...tries[path] } : undefined),
  }
}

const tries: Record<string, object> = { '/evaluators': { text: 'Hello' }, '/tools': {} }

const notification = (security: string) =>
  resource(
    `a notification with ${security}`,
    '/notifications',
    (url, secret) => ({ name: 'N', url, security, events: ['error'], ...secret }),
    'test',
  )

const channel = (kind: string, settings: object): Case => ({
  name: `a channel of ${kind}`,
  save: (agent, api_base) => made(agent, '/channels', { kind, settings: { ...settings, api_base } }),
  move: (agent, id, api_base) => agent.patch(`/channels/${id}`, { settings: { api_base } }),
  use: (_, agent, id) => agent.post(`/channels/${id}/test`),
})

/** Passwords go to servers that speak other protocols: `channels/email.test.ts` has them. */
type PasswordPattern = `channels|*|settings.${string}.password`

/** A place that is new in the list has no case here until somebody writes it: the compiler asks. */
const cases: Record<Exclude<SentPattern, PasswordPattern>, Case[]> = {
  'agents|*|settings.model.api_key': [setting('a model', (model) => ({ model }), ask)],
  'agents|*|settings.model.fallbacks.*.api_key': [
    setting(
      'a fallback',
      (server) => ({ model: { url: nobody, fallbacks: [{ url: nobody }, server] } }),
      ask,
    ),
  ],
  'agents|*|settings.embedding.api_key': [
    setting(
      'an embedding server',
      (embedding) => ({ embedding }),
      async ({ app }, { agentId }) => {
        const { box, database } = app.app.foundation
        const installation = { url: null, apiKey: null, name: null }
        const outbound = createOutbound({ privateTargets: parsePrivateTargets('127.0.0.1/32') })
        const embedder = chooseEmbedders({ installation, outbound, box })(
          await readAgent(database.db, agentId),
        )
        await assert.rejects(async () => embedder?.embed(['Hello'], { timeoutMs: 5000 }))
      },
    ),
  ],
  'agents|*|settings.transcription.api_key': [
    setting(
      'a transcription server',
      (transcription) => ({ transcription }),
      async ({ app }, { agentId }) => {
        const { box, database } = app.app.foundation
        const installation = { url: null, apiKey: null, name: null }
        const outbound = createOutbound({ privateTargets: parsePrivateTargets('127.0.0.1/32') })
        const agent = await readAgent(database.db, agentId)
        const transcriber = chooseTranscribers({ installation, outbound, box })(agent)
        const sound = { bytes: Buffer.from('OggS'), type: 'audio/ogg' }
        await assert.rejects(async () => transcriber?.transcribe(sound, AbortSignal.timeout(5000)))
      },
    ),
  ],
  'agents|*|settings.redaction.api_key': [
    setting(
      'a redaction service',
      (redaction) => ({ redaction, hosted_redaction: true, model: { url: null } }),
      async (service, agent) => {
        const { id } = (await ask(service, agent)).body
        await agent.post(`/chat/completions/${id}/anonymize`)
      },
    ),
  ],
  'channels|*|settings.access_token': [
    channel('helpdesk', { access_token: SECRET, account_id: 1, webhook_secret: 'another' }),
  ],
  'channels|*|settings.auth_token': [
    channel('sms', { auth_token: SECRET, account_sid: `AC${'0'.repeat(32)}`, from: '+15550100' }),
  ],
  'channels|*|settings.bot_token': [channel('telegram', { bot_token: `110201543:${IN_ADDRESS}` })],
  'evaluators|*|settings.secret': [
    resource(
      'an evaluator',
      '/evaluators',
      (url, secret) => ({ name: 'E', kind: 'webhook', settings: { url, ...secret } }),
      'try',
    ),
  ],
  'rules|*|settings.actions.*.secret': [
    {
      name: 'an automation',
      save: (agent, url) => made(agent, '/automations', automation(url, { secret: SECRET })),
      move: (agent, id, url) => agent.patch(`/automations/${id}`, automation(url, {})),
      async use(service, agent) {
        const { db } = service.app.app.foundation.database
        await db.deleteFrom('events').where('agent_id', '=', agent.agentId).execute()
        const { id } = (await ask(service, agent)).body
        await automationsEnd(service, agent, id)
      },
    },
  ],
  'macros|*|actions.*.secret': [
    {
      name: 'a macro',
      save: (agent, url) => made(agent, '/macros', { ...automation(url, { secret: SECRET }), shared: true }),
      move: (agent, id, url) => agent.patch(`/macros/${id}`, automation(url, {})),
      async use(service, agent, id) {
        const { conversation_id } = (await ask(service, agent)).body
        const { status, text } = await agent.post(`/conversations/${conversation_id}/macros/${id}`)
        assert.equal(status, 200, text)
      },
    },
  ],
  'notifications|*|secret': [notification('signature'), notification('shared_secret')],
  'notifications|*|previous_secret': [
    {
      ...notification('signature'),
      name: 'a rotated notification',
      async save(agent, url) {
        const id = await notification('signature').save(agent, url)
        assert.equal((await agent.post(`/notifications/${id}/rotate-secret`, {})).status, 200)
        return id
      },
    },
  ],
  'tools|*|headers': [
    resource(
      'a tool',
      '/tools',
      (url, secret) => ({ kind: 'http', name: 'order', description: 'x', url, ...headersOf(secret) }),
      'try',
    ),
    resource(
      'an MCP server',
      '/tools',
      (url, secret) => ({ kind: 'mcp', name: 'orders', url, ...headersOf(secret) }),
      'try',
    ),
  ],
}

function automation(url: string, secret: object) {
  return {
    name: 'A',
    actions: [
      { type: 'tag', tag: 'x' },
      { type: 'call_webhook', url, ...secret },
    ],
  }
}

function headersOf(given: object): object {
  return 'secret' in given ? { headers: { authorization: `Bearer ${SECRET}` } } : {}
}

/** Tells whether a request holds the secret, or a signature that was made with it. */
function carries({ path, headers, body }: PeerRequest): boolean {
  const basic = Buffer.from(headers.authorization?.replace(/^Basic /, '') ?? '', 'base64')
  if (`${path} ${JSON.stringify(headers)}${body}${basic}`.includes(IN_ADDRESS)) return true
  const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text)
  const own = hmac(SECRET, `${headers['x-webhook-timestamp']}.${body}`).digest('hex')
  const standard = hmac(
    Buffer.from(SECRET.slice('whsec_'.length), 'base64'),
    `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`,
  ).digest('base64')
  return [own, standard].some((mac) => JSON.stringify(headers).includes(mac))
}

/** Moves an address in the database itself, as code that forgets the secret beside it would. */
async function moveInDatabase(service: Service, pattern: SentPattern, id: number, url: string) {
  const { db } = service.app.app.foundation.database
  const [table = ''] = pattern.split('|')
  const [column = '', ...path] = sealedPlaces[pattern].split('.')
  const { rows } = await sql<{ value: string }>`
    select ${sql.ref(column)} as value from ${sql.table(table)} where id = ${id}`.execute(db)
  const value = rows[0]?.value
  assert.ok(value)
  const moved = path.length === 0 ? url : JSON.stringify(setAt(JSON.parse(value), path, url))
  await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${moved} where id = ${id}`.execute(db)
  await sql`update agents set rules_version = rules_version + 1`.execute(db)
}

function setAt(json: unknown, [name = '', ...rest]: string[], url: string): unknown {
  if (Array.isArray(json)) return json.map((item) => setAt(item, rest, url))
  const fields = json as Record<string, unknown>
  if (rest.length > 0) return { ...fields, [name]: setAt(fields[name], rest, url) }
  return name in fields ? { ...fields, [name]: url } : fields
}

onBothEngines('the secret that belongs to an origin', (service) => {
  let own: Peer
  let other: Peer
  before(async () => {
    own = await startPeer()
    other = await startPeer()
  })
  after(() => Promise.all([own.close(), other.close()]))

  for (const [pattern, ofPlace] of Object.entries(cases) as [SentPattern, Case[]][])
    for (const { name, save, move, use } of ofPlace)
      for (const [way, moveAddress] of [
        ['by a patch', (agent: TestAgent, id: number) => move(agent, id, other.url)],
        [
          'behind the back of the API',
          (_: TestAgent, id: number) => moveInDatabase(service, pattern, id, other.url),
        ],
      ] as const)
        it(`of ${name} does not go with an address that is moved ${way}`, async () => {
          own.requests.length = 0
          other.requests.length = 0
          const agent = await service.addAgent()
          const id = await save(agent, own.url)
          await use(service, agent, id)
          assert.ok(own.requests.some(carries), 'it goes to its own origin')

          await moveAddress(agent, id)
          own.requests.length = 0
          await use(service, agent, id)
          assert.deepEqual(other.requests.filter(carries), [])
          // A channel that was being connected may still call where it was.
          const others = own.requests.filter(({ path }) => !/\/(?:deleteWebhook|getUpdates)$/.test(path))
          assert.deepEqual(others, [])
        })
})
