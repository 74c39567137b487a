import assert from 'node:assert/strict'
import { it } from 'node:test'
import sharp from 'sharp'
import { assertError, type TestAgent } from '../../support/app.ts'
import { DAY_MS, onChannels } from '../../support/on-channels.ts'
import { addChannel, PERSON, type TestChannel } from '../../support/platform-peer.ts'
import { uploadTo } from '../../support/upload.ts'
import { rawTemplate } from '../../support/whatsapp-peer.ts'

const PDF = `%PDF-1.7\n${'to be paid '.repeat(100)}\n%%EOF`
const PICTURE = Uint8Array.from(
  await sharp({ create: { width: 6, height: 4, channels: 3, background: '#c04020' } })
    .png()
    .toBuffer(),
)
const VIDEO = Uint8Array.from(Buffer.from('000000186674797069736f6d0000000069736f6d69736f32', 'hex'))
const HOUR_MS = DAY_MS / 24
const TO = '+1 650 555 1234'

onChannels('templates', (service, chats) => {
  /** A channel of an account with these templates. */
  async function account(...templates: ReturnType<typeof rawTemplate>[]) {
    const agent = await service.addAgent()
    chats.peer.templates.splice(0, Infinity, ...templates)
    const settings = { business_account_id: '102290129340398' }
    const channel = await addChannel(agent, 'messenger-one', chats.peer, settings)
    const list = () => agent.get(`/channels/${channel.id}/templates`)
    return { agent, channel, list }
  }

  const write = (agent: TestAgent, channel: TestChannel, template: Record<string, unknown>) =>
    agent.post('/conversations', { channel_id: channel.id, to: TO, message: { template } })

  const withFile = (kind: string, body = 'Look.') =>
    rawTemplate(kind, body, { more: [{ type: 'HEADER', format: kind.toUpperCase() }] })

  /** Writes first with a template and files. */
  async function writeWith(
    agent: TestAgent,
    channel: TestChannel,
    files: Record<string, string | Uint8Array<ArrayBuffer>>,
    name: string,
    variables: Record<string, string> = {},
  ) {
    const attachments: string[] = []
    for (const [file, content] of Object.entries(files)) {
      const { body } = await uploadTo(agent, `/channels/${channel.id}/attachments`, { [file]: content })
      attachments.push(body.data.id)
    }
    const message = {
      template: { name, language: 'en_US', variables },
      ...(attachments.length > 0 ? { attachments } : {}),
    }
    return agent.post('/conversations', { channel_id: channel.id, to: TO, message })
  }

  const asked = () => chats.peer.requests.filter(({ path }) => path.includes('/message_templates'))
  const sentTemplate = () => JSON.parse(chats.peer.requests.at(-1)?.body ?? '{}').template

  it('are those that the platform has approved and that need only texts and a file, from all of its pages', async () => {
    const { list } = await account(
      rawTemplate('delivered', 'Hi {{2}}, parcel {{1}} is here.', {
        more: [
          { type: 'HEADER', format: 'TEXT', text: 'Order {{1}}', example: { header_text: ['17'] } },
          { type: 'FOOTER', text: 'Example shop' },
          {
            type: 'BUTTONS',
            buttons: [
              { type: 'QUICK_REPLY', text: 'Thanks' },
              {
                type: 'URL',
                text: 'Track',
                url: 'https://example.com/t/{{1}}',
                example: ['https://example.com/t/1'],
              },
            ],
          },
        ],
      }),
      rawTemplate('rejected', 'No.', { status: 'REJECTED' }),
      rawTemplate('place', 'Here.', { more: [{ type: 'HEADER', format: 'LOCATION' }] }),
      rawTemplate('code', 'Your code.', {
        more: [{ type: 'BUTTONS', buttons: [{ type: 'OTP', text: 'Copy' }] }],
      }),
      rawTemplate('plain', 'We are back.', { language: 'de' }),
      ...['IMAGE', 'VIDEO', 'DOCUMENT'].map((format) =>
        rawTemplate(format, 'Look.', {
          more: [{ type: 'HEADER', format, example: { header_handle: ['https://scontent.example/1'] } }],
        }),
      ),
    )
    const answer = await list()
    assert.equal(answer.status, 200, answer.text)
    const [delivered, plain, ...withFiles] = answer.body.data
    assert.deepEqual(
      withFiles.map(({ name, text, file }: { name: string; text: string; file: string }) => [
        name,
        text,
        file,
      ]),
      ['IMAGE', 'VIDEO', 'DOCUMENT'].map((format) => [format, 'Look.', format.toLowerCase()]),
    )
    assert.deepEqual(plain, {
      name: 'plain',
      language: 'de',
      category: 'utility',
      text: 'We are back.',
      variables: [],
      file: null,
    })
    assert.equal(
      delivered.text,
      'Hi {{2}}, parcel {{1}} is here.\n\nOrder {{header.1}}\n\nExample shop\n\nThanks\nTrack: https://example.com/t/{{button.2}}',
    )
    assert.deepEqual(delivered.variables, [
      { name: '2', example: null },
      { name: '1', example: null },
      { name: 'header.1', example: '17' },
      { name: 'button.2', example: 'https://example.com/t/1' },
    ])
    assert.equal(asked().length, 4)
    assert.ok(asked().every(({ headers }) => headers.authorization === 'Bearer token-of-one-12345'))
  })

  it('are kept for an hour, and asked for anew when the channel has changed', async () => {
    const { agent, channel, list } = await account(rawTemplate('one', 'One.'))
    const present = service.clock
    const start = present()
    try {
      service.clock = () => start
      await Promise.all([list(), list()])
      assert.equal(asked().length, 1)
      service.clock = () => start + HOUR_MS - 1
      await list()
      assert.equal(asked().length, 1)
      service.clock = () => start + HOUR_MS
      await list()
      assert.equal(asked().length, 2)
      await agent.patch(`/channels/${channel.id}`, { settings: { business_account_id: '2' } })
      await list()
      assert.equal(asked().length, 3)
    } finally {
      service.clock = present
    }
  })

  it('reach somebody who never wrote, and are stored as the person reads them', async () => {
    const { agent, channel } = await account(rawTemplate('here', 'Hi {{1}}, parcel {{2}} is here.'))
    const answer = await write(agent, channel, {
      name: 'here',
      language: 'en_US',
      variables: { 2: '17', 1: 'Ana' },
    })
    assert.equal(answer.status, 201, answer.text)
    await chats.settled(channel)
    assert.deepEqual(sentTemplate(), {
      name: 'here',
      language: { code: 'en_US' },
      components: [
        {
          type: 'body',
          parameters: [
            { type: 'text', text: 'Ana' },
            { type: 'text', text: '17' },
          ],
        },
      ],
    })
    const [row] = await chats.rowsOf(agent, channel)
    assert.deepEqual(
      [row.role, row.content, row.delivery],
      ['operator', 'Hi Ana, parcel 17 is here.', 'sent'],
    )
    await channel.says('Thanks')
    await chats.settled(channel)
    assert.deepEqual((await chats.messagesOf(agent, channel)).slice(1), ['user: Thanks', 'assistant: Thanks'])
  })

  it('are sent without variables, with named ones, and with those of header and button', async () => {
    const { agent, channel } = await account(
      rawTemplate('plain', 'We are back.'),
      rawTemplate('named', 'Hi {{first_name}}.', {
        more: [
          { type: 'HEADER', format: 'TEXT', text: 'For {{1}}' },
          { type: 'BUTTONS', buttons: [{ type: 'URL', text: 'Open', url: 'https://example.com/{{1}}' }] },
        ],
      }),
    )
    assert.equal((await write(agent, channel, { name: 'plain', language: 'en_US' })).status, 201)
    await chats.settled(channel)
    assert.deepEqual(sentTemplate(), { name: 'plain', language: { code: 'en_US' } })
    const variables = { first_name: 'Ana', 'header.1': 'you', 'button.1': 'a b' }
    assert.equal((await write(agent, channel, { name: 'named', language: 'en_US', variables })).status, 200)
    await chats.settled(channel)
    assert.deepEqual(sentTemplate().components, [
      { type: 'header', parameters: [{ type: 'text', text: 'you' }] },
      { type: 'body', parameters: [{ type: 'text', parameter_name: 'first_name', text: 'Ana' }] },
      { type: 'button', sub_type: 'url', index: 0, parameters: [{ type: 'text', text: 'a b' }] },
    ])
  })

  it('a picture, a video and a document go out above the text, in one call', async () => {
    const { agent, channel } = await account(
      withFile('image', 'Hi {{1}}.'),
      ...[withFile('video'), withFile('document')],
    )
    for (const [kind, name, content] of [
      ['image', 'a.png', PICTURE],
      ['video', 'a.mp4', VIDEO],
      ['document', 'bill.pdf', PDF],
    ] as const) {
      const variables = kind === 'image' ? { 1: 'Ana' } : {}
      const answer = await writeWith(agent, channel, { [name]: content }, kind, variables)
      assert.ok(answer.status < 202, answer.text)
      await chats.settled(channel)
      const [header, body] = sentTemplate().components
      const { id, ...more } = header.parameters[0][kind]
      assert.match(chats.peer.uploads.get(id) ?? '', kind === 'document' ? /%PDF/ : /name="type"/)
      assert.deepEqual(header, { type: 'header', parameters: [{ type: kind, [kind]: { id, ...more } }] })
      assert.deepEqual(more, kind === 'document' ? { filename: 'bill.pdf' } : {})
      assert.deepEqual(body?.parameters, kind === 'image' ? [{ type: 'text', text: 'Ana' }] : undefined)
      const row = (await chats.rowsOf(agent, channel)).at(-1)
      assert.deepEqual(
        [row.content, row.delivery, row.attachments.map((one: { name: string }) => one.name.slice(0, 4))],
        [kind === 'image' ? 'Hi Ana.' : 'Look.', 'sent', [name.slice(0, 4)]],
      )
    }
    assert.equal(chats.peer.sent.length, 3)
    assert.equal(chats.peer.sentFiles.length, 0)
  })

  it('one with a file is refused without it, with another kind, and with two; nothing is stored', async () => {
    const { agent, channel } = await account(withFile('image'), rawTemplate('plain', 'Back.'))
    for (const [name, files, why] of [
      ['image', {}, /must name one file, for the image/],
      ['image', { 'a.png': PICTURE, 'b.png': PICTURE }, /must name one file, for the image/],
      ['image', { 'a.pdf': PDF }, /kind image \(image\/jpeg, image\/png\) of up to 5 MB/],
      ['plain', { 'a.png': PICTURE }, /are not sent with this template/],
    ] as const) {
      const answer = await writeWith(agent, channel, files, name)
      assertError(answer, 400, 'invalid_request')
      assert.match(answer.body.error.param, /attachments$/)
      assert.match(answer.body.error.message, why)
    }
    assert.equal((await agent.get('/conversations')).body.total, 0)
  })

  it('a file that the platform does not take fails the message, which says so', async () => {
    const { agent, channel } = await account(withFile('image'))
    chats.peer.failNextUpload((response) => {
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message: 'no', code: 131053 } }))
    })
    assert.equal((await writeWith(agent, channel, { 'a.png': PICTURE }, 'image')).status, 201)
    await chats.settled(channel)
    const [row] = await chats.rowsOf(agent, channel)
    assert.deepEqual([row.delivery, row.delivery_reason], ['failed', 'file_refused'])
    assert.equal(chats.peer.sent.length, 0)
  })

  it('go on in a conversation whose window has closed while a person wrote', async () => {
    const { agent, channel } = await account(rawTemplate('here', 'Hi {{1}}.'))
    await channel.says('Hello')
    await chats.settled(channel)
    const path = `/conversations/${chats.externalId(channel)}/messages`
    assert.equal((await agent.post(path, { content: 'One moment.' })).status, 200)
    await chats.settled(channel)
    const present = service.clock
    try {
      service.clock = () => present() + DAY_MS
      assertError(await agent.post(path, { content: 'Here it is.' }), 409, 'window_closed')
      const template = { name: 'here', language: 'en_US', variables: { 1: 'Ana' } }
      const key = { 'idempotency-key': `template-${channel.id}` }
      const sent = await agent.post(path, { template }, key)
      assert.deepEqual([sent.status, sent.body.data.content], [200, 'Hi Ana.'])
      assert.equal((await agent.post(path, { template }, key)).body.data.id, sent.body.data.id)
      assertError(
        await agent.post(path, { template: { ...template, variables: { 1: 'Bea' } } }, key),
        409,
        'idempotency_key_reused',
      )
      await chats.settled(channel)
      assert.equal(chats.peer.sent.at(-1)?.text, 'template here')
    } finally {
      service.clock = present
    }
  })

  for (const [name, variables, param] of [
    ['is missing', {}, '1'],
    ['is blank', { 1: ' ' }, '1'],
    ['has a line break', { 1: 'a\nb' }, '1'],
    ['is not known', { 1: 'Ana', 2: 'Bea' }, '2'],
    ['has the name of what every object has', { 1: 'Ana', constructor: 'Bea' }, 'constructor'],
  ] as const)
    it(`a variable that ${name} is named, and nothing is stored`, async () => {
      const { agent, channel } = await account(rawTemplate('here', 'Hi {{1}}.'))
      const answer = await write(agent, channel, { name: 'here', language: 'en_US', variables })
      assertError(answer, 422, 'template_mismatch')
      assert.equal(answer.body.error.param, `message.template.variables.${param}`)
      assert.equal((await agent.get('/conversations')).body.total, 0)
    })

  it('one that was approved since the platform was asked is found, others are not', async () => {
    const { agent, channel, list } = await account(rawTemplate('old', 'Old.'))
    await list()
    chats.peer.templates.push(rawTemplate('new', 'New.'))
    const present = service.clock
    try {
      service.clock = () => present() + HOUR_MS / 2
      assert.equal((await write(agent, channel, { name: 'new', language: 'en_US' })).status, 201)
      assertError(await write(agent, channel, { name: 'new', language: 'de' }), 422, 'template_not_found')
      await chats.settled(channel)
    } finally {
      service.clock = present
    }
  })

  for (const [name, change, reason] of [
    ['has removed', () => chats.peer.templates.splice(0), 'template_missing'],
    [
      'has paused',
      () => Object.assign(chats.peer.templates[0] ?? {}, { status: 'PAUSED' }),
      'template_paused',
    ],
    [
      'has changed',
      () => Object.assign(chats.peer.templates[0] ?? {}, rawTemplate('here', 'Hi {{1}} and {{2}}.')),
      'template_mismatch',
    ],
  ] as const)
    it(`one that the platform ${name} meanwhile is not delivered, and the message says why`, async () => {
      const { agent, channel, list } = await account(rawTemplate('here', 'Hi {{1}}.'))
      await list()
      change()
      const use = { name: 'here', language: 'en_US', variables: { 1: 'Ana' } }
      assert.equal((await write(agent, channel, use)).status, 201)
      await chats.settled(channel)
      const [row] = await chats.rowsOf(agent, channel)
      assert.deepEqual([row.delivery, row.delivery_reason], ['failed', reason])
    })

  it('a refusal that the platform tells later is told, too', async () => {
    const { agent, channel } = await account(rawTemplate('plain', 'Back.'))
    await write(agent, channel, { name: 'plain', language: 'en_US' })
    await chats.settled(channel)
    const value = {
      metadata: { phone_number_id: '106540352242922' },
      statuses: [
        {
          id: `wamid.${chats.peer.sent.length}`,
          status: 'failed',
          recipient_id: PERSON['messenger-one'],
          errors: [{ code: 132015 }],
        },
      ],
    }
    await channel.post({ entry: [{ changes: [{ field: 'messages', value }] }] })
    await chats.settled(channel)
    const [row] = await chats.rowsOf(agent, channel)
    assert.deepEqual([row.delivery, row.delivery_reason], ['failed', 'template_paused'])
  })

  it('what the platform does not answer is told, and asked again', async () => {
    const { agent, channel, list } = await account(rawTemplate('plain', 'Back.'))
    await agent.patch(`/channels/${channel.id}`, { settings: { api_base: 'http://127.0.0.1:9' } })
    await agent.patch(`/channels/${channel.id}`, { settings: { access_token: 'another-token-123' } })
    for (const failed of await Promise.all([list(), list()])) {
      assertError(failed, 502, 'platform_failed')
      assert.match(failed.body.error.message, /could not be reached/)
    }
    assertError(await write(agent, channel, { name: 'plain', language: 'en_US' }), 502, 'platform_failed')
    await agent.patch(`/channels/${channel.id}`, {
      settings: { api_base: chats.peer.url, access_token: 'another-token-123' },
    })
    assert.equal((await list()).status, 200)
  })

  it('templates of a size that the platform does not allow are left out, and hold nothing up', async () => {
    const named = Array.from({ length: 30_000 }, (_, at) => `{{v${at}}}`).join('')
    const example = { body_text: [Array(8000).fill('')] }
    const { list } = await account(
      { ...rawTemplate('many', ''), components: [{ type: 'BODY', text: named, example }] },
      rawTemplate('long', 'a'.repeat(16 * 1024)),
      rawTemplate('plain', 'Back.'),
    )
    const begun = process.cpuUsage()
    const answer = await list()
    const { user } = process.cpuUsage(begun)
    assert.deepEqual(
      answer.body.data.map(({ name }: { name: string }) => name),
      ['plain'],
    )
    assert.ok(user < 2_000_000, `${user} µs of processor time`)
  })

  it('a repeat gets its answer when the template is gone and the channel is off', async () => {
    const { agent, channel } = await account(rawTemplate('plain', 'Back.'))
    const template = { name: 'plain', language: 'en_US' }
    const first = { channel_id: channel.id, to: TO, message: { template } }
    const write = () => agent.post('/conversations', first, { 'idempotency-key': 'first' })
    const written = await write()
    assert.equal(written.status, 201, written.text)
    const path = `/conversations/${written.body.data.id}/messages`
    const answer = (more = {}) => agent.post(path, { template, ...more }, { 'idempotency-key': 'answer' })
    const answered = await answer()
    assert.equal(answered.status, 200, answered.text)
    await chats.settled(channel)
    chats.peer.templates.splice(0)
    await agent.patch(`/channels/${channel.id}`, { active: false, settings: { business_account_id: '2' } })
    const [again, answeredAgain] = [await write(), await answer()]
    assert.deepEqual([again.status, again.body.data.id], [201, written.body.data.id])
    assert.deepEqual([answeredAgain.status, answeredAgain.body.data.id], [200, answered.body.data.id])
    assertError(await answer({ author: 'Eva' }), 409, 'idempotency_key_reused')
    assert.equal(chats.peer.sent.length, 2)
  })

  it('a channel without an account, and kinds without templates, have none', async () => {
    const agent = await service.addAgent()
    for (const kind of ['messenger-one', 'sms'] as const) {
      const channel = await addChannel(agent, kind, chats.peer)
      assertError(await agent.get(`/channels/${channel.id}/templates`), 409, 'no_templates')
    }
    assertError(await agent.get('/channels/999999/templates'), 404, 'channel_not_found')
    const { conversation_id } = await agent.prompt('Hello')
    const template = { name: 'a', language: 'en' }
    const path = `/conversations/${conversation_id}/messages`
    assertError(await agent.post(path, { template }), 409, 'no_templates')
    assertError(await agent.post(path, { template, content: 'a' }), 400, 'invalid_request')
    const reader = await service.app.issue({ agentId: agent.agentId, teamId: agent.teamId, right: 'read' })
    assertError(await reader.get('/channels/1/templates'), 403, 'insufficient_right')
  })

  it('redaction reaches the variables, also of a template that waits to be sent', async () => {
    const { agent, channel } = await account(rawTemplate('here', 'Hi {{1}}.'))
    await channel.says('Hello')
    await chats.settled(channel)
    const [completion] = (await agent.get('/chat/completions')).body.data
    const template = { name: 'here', language: 'en_US', variables: { 1: 'secret-word' } }
    assert.equal((await write(agent, channel, template)).status, 200)
    await chats.settled(channel)
    assert.equal((await agent.post(`/chat/completions/${completion.id}/scrub`)).status, 200)
    const rows = await chats
      .database()
      .db.selectFrom('messages')
      .select(['content', 'template'])
      .where('agent_id', '=', agent.agentId)
      .where('template', 'is not', null)
      .execute()
    assert.equal(rows.length, 1)
    assert.ok(!JSON.stringify(rows).includes('secret-word'))
    assert.equal(JSON.parse(rows[0]?.template ?? '{}').name, 'here')
  })
})
