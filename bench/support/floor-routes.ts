// The least cost of a page of conversations and of an accepted event: bare routes with the same reads, rows and
// flushes, and nothing else. Usage: floor-routes.ts PORT DATABASE SECRET
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import fastify from 'fastify'
import { conversationJson } from '../../src/transcripts/conversations/present.ts'
import type { ListedConversation } from '../../src/transcripts/conversations/store.ts'
import { openFloorDatabase } from './floor-database.ts'

const [port, file = '', secret = ''] = process.argv.slice(2)
const { database, insert, unit } = openFloorDatabase(file)
const server = fastify()

const credential = database.prepare('select agent_id, team_id, revoked_at from api_keys where hash = ?')
const page = database.prepare(`
  select (select conversations from agent_counters where agent_id = ?1) as present, id, external_id, agent_id, team_id,
    tags, started_at, ended_at, agent_paused, agent_paused_at, agent_resumed_at
  from conversations where agent_id = ?1
    and sequence <= (select conversations from agent_counters where agent_id = ?1) - ?2
  order by sequence desc limit ?3`)

server.get('/api/v1/conversations', async (request, reply) => {
  const { page: number = 1, per_page: size = 50 } = request.query as Record<string, string>
  credential.get(createHash('sha256').update(String(request.headers['x-api-key'])).digest('base64url'))
  const rows = page.all(
    1,
    (Number(number) - 1) * Number(size),
    Number(size),
  ) as unknown as ListedConversation[]
  reply.type('application/json; charset=utf-8')
  return `{"data":[${rows.map(conversationJson).join(',')}],"total":1,"page":${number},"per_page":${size}}`
})

const mailbox = insert(
  'mailboxes',
  ['channel_id', 'agent_id', 'thread', 'writable_until', 'due_at'],
  1,
  'on conflict (channel_id, thread) do update set due_at = min(mailboxes.due_at, excluded.due_at) returning id',
)
const item = insert(
  'mailbox_items',
  [
    'mailbox_id',
    'channel_id',
    'source_id',
    'platform_message_id',
    'kind',
    'payload',
    'state',
    'due_at',
    'created_at',
  ],
  1,
  'on conflict (channel_id, source_id) do nothing',
)

server.removeAllContentTypeParsers()
server.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) =>
  done(null, body),
)
server.post('/hook', async (request, reply) => {
  const body = request.body as Buffer
  const given = Buffer.from(String(request.headers['x-line-signature']), 'base64')
  const made = createHmac('sha256', secret).update(body).digest()
  if (given.length !== made.length || !timingSafeEqual(given, made)) return reply.code(403).send({})
  const { events } = JSON.parse(body.toString())
  const at = new Date().toISOString()
  await unit(() => {
    for (const { webhookEventId, source, message } of events) {
      const { id } = mailbox.get(1, 1, source.userId, at, at) as { id: number }
      item.run(id, 1, webhookEventId, message.id, 'text', JSON.stringify(message), 'waiting', at, at)
    }
  })
  return {}
})

await server.listen({ port: Number(port), host: '127.0.0.1' })
