import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql, type TableMetadata } from 'kysely'
import { columns } from '../../src/texts/text-columns.ts'
import type { TestAgent } from '../support/app.ts'
import { until } from '../support/becomes.ts'
import { documentOf } from '../support/conforms.ts'
import { signInNew } from '../support/console.ts'
import { addDataset, runOf } from '../support/datasets.ts'
import { kinds, onChannels } from '../support/on-channels.ts'
import { addChannel, type Kind, mediaOf, takeoverOf, tellsTakeovers } from '../support/platform-peer.ts'
import { addWidget, SITE } from '../support/widget-visitors.ts'

type Mode = 'scrub' | 'anonymize'

const WORD = 'Zyxwvut'
/** The beginning of a JPEG, in which nobody finds a text. */
const PICTURE = `R0lGODlhAQABAIAAAMBAIAAAACwAAAAAAQABAAACAkQBADsA${'4AAQSkZJRgABAQEASABIAAD'.repeat(10)}`

/** A text that both redactions take. */
const SAID = `Write to ${WORD}@example.com`

const addressOf = (path: string, conversationId: string) =>
  `${path.replace('{id}', conversationId)}?q=${WORD}`

function takesWords(operation: object): boolean {
  const { parameters = [] } = operation as { parameters?: { in: string; name: string }[] }
  return parameters.some((parameter) => parameter.in === 'query' && parameter.name === 'q')
}

/** The texts beside a thing that is no text, by platform. */
const things: Record<Kind, Record<string, unknown>[]> = {
  'messenger-one': [
    { type: 'image', image: { id: '1', caption: SAID } },
    { type: 'document', document: { id: '2', filename: `${WORD}@example.com`, caption: SAID } },
    { type: 'location', location: { latitude: 1, longitude: 2, name: SAID, address: SAID } },
    { type: 'contacts', contacts: [{ name: { formatted_name: SAID } }] },
    { type: 'button', button: { text: SAID, payload: SAID } },
    { type: 'interactive', interactive: { list_reply: { id: SAID, title: SAID } } },
    {
      type: 'edit',
      edit: { original_message_id: 'wamid.0', message: { type: 'text', text: { body: SAID } } },
    },
  ],
  'messenger-two': [{ text: SAID, attachments: [{ type: 'image', title: SAID, payload: { url: SAID } }] }],
  'messenger-three': [
    { type: 'file', fileName: `${WORD}@example.com` },
    { type: 'location', title: SAID, address: SAID, latitude: 1, longitude: 2 },
  ],
  instagram: [{ text: SAID, attachments: [{ type: 'ig_post', title: SAID, payload: { url: SAID } }] }],
  sms: [{ Body: SAID, NumMedia: '1', MediaUrl0: SAID, MediaContentType0: SAID, ProfileName: SAID }],
  telegram: [
    { photo: [{ file_id: '1' }], caption: SAID },
    { document: { file_name: `${WORD}@example.com` }, caption: SAID },
    { venue: { title: SAID, address: SAID, location: { latitude: 1, longitude: 2 } } },
    { contact: { first_name: SAID, last_name: SAID, phone_number: SAID } },
  ],
  helpdesk: [{ content: SAID, attachments: [{ file_type: 'image', data_url: SAID }] }],
}

onChannels('what redaction keeps', (service, chats) => {
  /** Says the word wherever somebody may say something, and waits until nothing is under way. */
  async function sayEverywhere(agent: TestAgent, mode: Mode): Promise<void> {
    // A call's id and name take no more characters than these.
    const word = mode === 'scrub' ? WORD : `${WORD}@example.com`
    const said = `I am ${word}`
    const call = {
      id: `call_${word}`,
      type: 'function',
      function: { name: word, arguments: `{"who":"${word}"}` },
    }
    service.model.next({ text: `Hello ${word}` })
    const { id, conversation_id } = await agent.prompt('', {
      messages: [
        { role: 'system', content: said },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: call.id, content: said },
        {
          role: 'user',
          name: word,
          content: [
            { type: 'text', text: said },
            { type: 'image_url', image_url: { url: `data:image/gif;base64,${PICTURE}` } },
          ],
        },
      ],
      user: 'customer-1',
      page_url: `https://example.com/?who=${word}`,
    })
    const completion = `/chat/completions/${id}`
    const conversation = `/conversations/${conversation_id}`
    const { call: asPerson } = await signInNew(service.app, { teamId: agent.teamId, right: 'manage' })
    const person = (method: string, path: string, body?: unknown) =>
      asPerson(method, `/agents/${agent.agentId}${path}`, body)
    const answers = [
      await agent.post(`${completion}/feedback`, { feedback: said, score: 1 }),
      await agent.post(`${completion}/flag`, { flagged: true, reason: said }),
      await agent.post(`${completion}/clicks`, { kind: 'footer', target: `https://example.com/${word}` }),
      await agent.post(`${conversation}/notes`, { text: said }),
      await agent.post(`${conversation}/rating`, { score: 2, comment: said }),
      await agent.patch('/users/customer-1', { name: word, attributes: { city: word } }),
      await person('PUT', `${conversation}/draft`, { mode: 'reply', content: said }),
      await agent.post(`${conversation}/messages`, { content: said }),
      ...(await Promise.all((await searches()).map((path) => agent.get(addressOf(path, conversation_id))))),
    ]
    for (const { status, text } of answers) assert.ok(status < 300, text)
    const dataset = await addDataset(agent)
    const expectations = [{ kind: 'contains', value: word }]
    const made = await agent.post(`/datasets/${dataset.id}/cases`, { completion_id: id, expectations })
    assert.equal(made.status, 201, made.text)
    await runOf(agent, dataset.id)
    const action = { type: 'tag', tags: { seen: 'yes' } }
    for (const q of [word, `${word} of nobody`]) {
      const act = await agent.post('/inbox/bulk', { filter: { view: 'all', q }, action })
      assert.equal(act.status, 202, act.text)
      await until(async () => (await agent.get(`/inbox/bulk/${act.body.data.id}`)).body.data.state === 'done')
    }
  }

  /** Says the text wherever the protocol of widgets takes one. @returns the visitor's id */
  async function visitEverywhere(agent: TestAgent, mode: Mode): Promise<string> {
    const widget = await addWidget(service.app, agent)
    const id = 'customer-1'
    const user = { id, name: SAID, hash: widget.hash(id) }
    // A scrub keeps the path of a page.
    const path = mode === 'anonymize' ? `/${WORD}%40example.com/` : '/'
    const page_url = `${SITE}${path}?who=${encodeURIComponent(SAID)}#${WORD}@example.com`
    const visitor = await widget.visit({ user, page_url })
    const { first } = await visitor.say(SAID, { fields: { page_url } })
    const completion = `/completions/${first.id}`
    const conversation = `/conversations/${first.conversation_id}`
    const answers = [
      await visitor.post(`${completion}/flag`, { flagged: true, reason: SAID }),
      await visitor.post(`${completion}/feedback`, { feedback: SAID, score: 1 }),
      await visitor.post(`${completion}/clicks`, { kind: 'footer', target: page_url }),
      await visitor.post('/typing', {}),
      await visitor.post('/person', { page_url }),
      await agent.post(`${conversation}/messages`, { content: SAID }),
      await agent.post(`${conversation}/notes`, { text: SAID }),
    ]
    await visitor.say(SAID)
    answers.push(
      await visitor.post('/rating', { score: 2, comment: SAID }),
      await visitor.post('/end'),
      await visitor.post('/rating', { score: 1, comment: SAID, conversation_id: first.conversation_id }),
    )
    for (const { status, text } of answers) assert.ok(status < 300, text)
    return id
  }

  /** Has everybody but the visitor of a widget write in a conversation. @returns the visitor's id */
  async function visitWordless(agent: TestAgent): Promise<string> {
    const widget = await addWidget(service.app, agent)
    const visitor = await widget.visit()
    const asked = await visitor.post('/person')
    const conversation = `/conversations/${asked.body.data.id}`
    const { call } = await signInNew(service.app, { teamId: agent.teamId, right: 'manage' })
    for (const { status, text } of [
      asked,
      await agent.post(`${conversation}/messages`, { content: SAID }),
      await agent.post(`${conversation}/notes`, { text: SAID }),
      await visitor.post('/rating', { score: 2, comment: SAID }),
      await call('PUT', `/agents/${agent.agentId}${conversation}/draft`, { mode: 'reply', content: SAID }),
    ])
      assert.ok(status < 300, text)
    return `widget:${visitor.session.visitor_id}`
  }

  /** Says the text in each kind of event that a platform tells, also in its refusals. @returns the person's id */
  async function writeEverywhere(agent: TestAgent, kind: Kind): Promise<string> {
    const { peer, settled, pass, externalId } = chats
    const channel = await addChannel(agent, kind, peer, { debounce_ms: 60_000 })
    const post = async (body: unknown) => assert.equal((await channel.post(body)).status, 200)
    const worked = async () => {
      pass(61_000)
      await settled(channel)
    }
    await channel.says(SAID)
    await worked()
    peer.failNext((response) => {
      response.statusCode = 400
      response.setHeader('content-type', 'application/json')
      response.end(
        JSON.stringify({
          message: SAID,
          error: {
            message: SAID,
            code: SAID,
            error_subcode: SAID,
            type: SAID,
            error_data: { details: SAID },
          },
        }),
      )
    })
    for (const [at, media] of things[kind].entries()) await post(mediaOf(kind, `${at}`, media))
    await worked()
    const conversation = `/conversations/${encodeURIComponent(externalId(channel))}`
    for (const { status, text } of [
      await agent.post(`${conversation}/messages`, { content: SAID }),
      await agent.post(`${conversation}/notes`, { text: SAID }),
    ])
      assert.ok(status < 300, text)
    await worked()
    if (tellsTakeovers(kind))
      await post(JSON.parse(JSON.stringify(takeoverOf(kind, 'taken')).replaceAll('Eva here.', SAID)))
    await worked()
    await channel.says(SAID)
    await chats
      .database()
      .db.updateTable('mailbox_items')
      .set({ state: 'parked' })
      .where('channel_id', '=', channel.id)
      .where('state', '=', 'waiting')
      .execute()
    const { body } = await agent.get('/users')
    return body.data[0].id
  }

  /** The paths of all that searches for words. */
  async function searches(): Promise<string[]> {
    const { paths } = await documentOf(service.app.baseUrl)
    const found = Object.entries(paths)
      .filter(([, { get }]) => get && takesWords(get))
      .map(([path]) => path.replace('/api/v1', ''))
    for (const path of ['/search', '/inbox', '/users', '/knowledge/search', '/conversations/{id}/replies'])
      assert.ok(found.includes(path), `${path} is no search: ${found}`)
    return found
  }

  let known: Promise<TableMetadata[]> | undefined
  const tables = () => {
    known ??= service.app.app.foundation.database.db.introspection.getTables()
    return known
  }

  /** Returns the columns in which an agent's word or picture is, and how each is declared. */
  async function columnsWithWord(): Promise<Map<string, string>> {
    const { db } = service.app.app.foundation.database
    const found = new Map<string, string>()
    for (const { name: table, columns: all } of await tables()) {
      const declared: unknown = columns[table as keyof typeof columns]
      const how = (name: string) =>
        typeof declared === 'string' ? declared : (declared as Record<string, string>)?.[name]
      const names = all.map(({ name }) => name).filter((name) => how(name) !== undefined)
      if (names.length === 0) continue
      const looks = names.map((name) => {
        const text = sql`lower(cast(${sql.ref(name)} as text))`
        const has = sql`${text} like ${`%${WORD.toLowerCase()}%`} or ${text} like ${`%${PICTURE.slice(0, 40).toLowerCase()}%`}`
        return sql`max(case when ${has} then 1 else 0 end) as ${sql.ref(name)}`
      })
      const { rows } = await sql<Record<string, number | null>>`
        select ${sql.join(looks)} from ${sql.table(table)}`.execute(db)
      for (const name of names) if (rows[0]?.[name] === 1) found.set(`${table}.${name}`, how(name) as string)
    }
    return found
  }

  const KEPT = new Set(['kept', 'id', 'code', 'time', 'hash', 'own', 'facts', 'tags'])

  /** Looks into every column, redacts all that a person said until nothing is left, and looks again. */
  async function assertGone(agent: TestAgent, user: string, mode: Mode, ...said: string[]): Promise<void> {
    const written = await columnsWithWord()
    for (const column of said)
      assert.ok(written.has(column), `nothing was said in ${column}: ${[...written.keys()]}`)
    assert.deepEqual(
      [...written].filter(([, how]) => KEPT.has(how)),
      [],
    )
    let remaining = 1
    while (remaining > 0) {
      const { status, text, body } = await agent.post(`/users/${encodeURIComponent(user)}/${mode}`)
      assert.equal(status, 200, text)
      remaining = body.data.remaining
    }
    assert.deepEqual([...(await columnsWithWord()).keys()], [])
  }

  for (const mode of ['scrub', 'anonymize'] as const) {
    it(`no column that is kept holds what somebody said, and after ${mode} no column does`, async () => {
      const agent = await service.addAgent()
      await sayEverywhere(agent, mode)
      const said = ['messages.content', 'conversation_notes.text', 'users.name', 'case_texts.content']
      await assertGone(agent, 'customer-1', mode, ...said)
    })

    it(`nor what a visitor of a widget said, whose texts are taken by ${mode}`, async () => {
      const agent = await service.addAgent()
      const user = await visitEverywhere(agent, mode)
      const said = ['messages.content', 'completions.feedback', 'completions.page_url', 'ratings.comment']
      await assertGone(agent, user, mode, ...said)
    })

    it(`nor what was said to a visitor who wrote nothing, whose texts are taken by ${mode}`, async () => {
      const agent = await service.addAgent()
      const user = await visitWordless(agent)
      const said = ['messages.content', 'conversation_notes.text', 'ratings.comment', 'drafts.content']
      await assertGone(agent, user, mode, ...said)
    })

    for (const kind of kinds)
      it(`nor what a person said on ${kind}, whose texts are taken by ${mode}`, async () => {
        const agent = await service.addAgent()
        const user = await writeEverywhere(agent, kind)
        await assertGone(agent, user, mode, 'messages.content', 'mailbox_items.payload')
      })
  }
})
