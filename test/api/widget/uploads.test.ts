import assert from 'node:assert/strict'
import { it } from 'node:test'
import sharp from 'sharp'
import { assertError } from '../../support/app.ts'
import { assertConforms } from '../../support/conforms.ts'
import { filesWith } from '../../support/files-with.ts'
import { onBothEngines } from '../../support/on-both-engines.ts'
import {
  ADDRESSES,
  addWidget,
  SITE,
  type TestVisitor,
  type TestWidget,
} from '../../support/widget-visitors.ts'

const png = async () =>
  Uint8Array.from(
    await sharp({ create: { width: 900, height: 300, channels: 3, background: '#c04020' } })
      .withExif({ IFD0: { Make: 'Wachtel' } })
      .png()
      .toBuffer(),
  )

let addresses = 0

onBothEngines(
  'files of visitors',
  (service) => {
    async function begin(uploads: 'off' | 'images' | 'files' = 'files') {
      const agent = await service.addAgent()
      const widget = await addWidget(service.app, agent, { uploads })
      return { agent, widget, visitor: await widget.visit() }
    }

    async function upload(
      widget: TestWidget,
      { token }: Pick<TestVisitor, 'token'>,
      name: string,
      content: string | Uint8Array<ArrayBuffer>,
      headers: Record<string, string> = { 'x-forwarded-for': `198.51.100.${addresses++ % 250}` },
    ) {
      const body = new FormData()
      body.append('file', new Blob([content]), name)
      const response = await fetch(`${widget.url}/attachments`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, origin: SITE, ...headers },
        body,
      })
      const text = await response.text()
      const answer = JSON.parse(text)
      await assertConforms(
        widget.url,
        'POST',
        new URL(`${widget.url}/attachments`).pathname,
        response.status,
        answer,
      )
      return { status: response.status, headers: response.headers, text, body: answer }
    }

    it('POST 201: a picture without words is a message of a new conversation, which people and the visitor see', async () => {
      const { agent, widget, visitor } = await begin('images')
      assert.equal(visitor.session.widget.uploads, 'images')
      const { status, body, headers } = await upload(widget, visitor, 'photo.png', await png())
      assert.equal(status, 201)
      assert.equal(headers.get('access-control-allow-origin'), SITE)
      const file = body.data
      assert.deepEqual([file.kind, file.type, file.width], ['image', 'image/png', 900])
      const said = await visitor.say('', { fields: { attachments: [file.id] } })
      assert.equal(said.status, 200, JSON.stringify(said.body))
      const conversation = String(said.first.conversation_id)
      const [own] = (await visitor.get('/messages')).body.data
      assert.deepEqual([own.role, own.content, own.attachments], ['user', '[image]', [file]])
      const [seen] = (await agent.get(`/conversations/${conversation}/messages`)).body.data
      assert.deepEqual([seen.kind, seen.attachments], ['image', [file]])
      assert.match(JSON.stringify(service.model.requests.at(-1)?.body), /\[image\].*data:image\/png;base64,/)
      const path = `/conversations/${conversation}/attachments/${file.id}`
      for (const bytes of [
        await (await fetch(`${agent.baseUrl}${path}`, { headers: agent.headers })).arrayBuffer(),
        Buffer.from((await visitor.get(`${path}?preview=true`)).text),
      ])
        assert.ok(bytes.byteLength > 100 && !Buffer.from(bytes as ArrayBuffer).includes('Wachtel'))
      assertError(await (await widget.visit()).get(path), 404, 'conversation_not_found')
    })

    it('POST 201: of a file without words that the model does not read, its visitor is told so', async () => {
      const { agent, widget, visitor } = await begin()
      assert.equal((await agent.patch('/agent', { unsupported_message: 'Text only.' })).status, 200)
      const send = async (content: string | Uint8Array<ArrayBuffer>) => {
        const { body } = await upload(widget, visitor, 'it', content)
        const said = await visitor.say('', { fields: { attachments: [body.data.id] } })
        assert.equal(said.status, 200)
        return (await visitor.get('/messages')).body.data.at(-1).content
      }
      assert.equal(await send('%PDF-1.7\n%%EOF'), 'Text only.')
      assert.equal((await agent.patch('/agent', { model: { images: 'off' } })).status, 200)
      assert.equal(await send(await png()), 'Text only.')
      assert.equal(service.model.requests.length, 0)
    })

    it('POST 201: files come with words, in their order, and a repeat is the same message', async () => {
      const { agent, widget, visitor } = await begin()
      const [one, two] = [
        await upload(widget, visitor, 'a.txt', 'one'),
        await upload(widget, visitor, 'b.svg', '<svg/>'),
      ]
      const options = { key: 'k1', fields: { attachments: [two.body.data.id, one.body.data.id] } }
      const first = await visitor.say('Here they are', options)
      const again = await visitor.say('Here they are', options)
      assert.deepEqual(
        [again.status, again.first.id, again.headers.get('idempotent-replayed')],
        [200, first.first.id, 'true'],
      )
      const { data } = (await agent.get(`/conversations/${first.first.conversation_id}/messages`)).body
      assert.deepEqual(
        data.map(({ role, content, kind, attachments }: Record<string, { name: string }[]>) => [
          ...[role, content, kind],
          attachments?.map(({ name }) => name),
        ])[0],
        ['user', 'Here they are', 'text', ['b.svg', 'a.txt']],
      )
      assertError(await other(visitor, 'k1', [one.body.data.id]), 409, 'idempotency_key_reused')
    })

    const other = async (visitor: TestVisitor, key: string, attachments: string[]) => {
      const { status, body, headers } = await visitor.say('Here they are', { key, fields: { attachments } })
      return { status, body, headers, text: JSON.stringify(body) }
    }

    it('400: files of others, files that were sent, more than five, and nothing at all', async () => {
      const { widget, visitor } = await begin()
      const stranger = await widget.visit()
      const { body } = await upload(widget, visitor, 'a.txt', 'one')
      const { id } = body.data
      const refused = async (by: TestVisitor, attachments: string[]) =>
        assertError(await other(by, crypto.randomUUID(), attachments), 400, 'invalid_request')
      await refused(stranger, [id])
      await refused(visitor, [id, id])
      await refused(visitor, [id, crypto.randomUUID()])
      await refused(
        visitor,
        Array.from({ length: 6 }, () => crypto.randomUUID()),
      )
      assert.equal((await visitor.say('', { fields: { attachments: [id] } })).status, 200)
      await refused(visitor, [id])
      assert.equal((await visitor.say(' ')).status, 400)
      // Of what was refused, nothing is stored.
      assert.deepEqual((await stranger.get('/messages')).body.data, [])
    })

    it('403 and 400: what the widget does not take', async () => {
      const closed = await begin('off')
      assertError(await upload(closed.widget, closed.visitor, 'a.txt', 'a'), 403, 'uploads_off')
      const pictures = await begin('images')
      const refused = await upload(pictures.widget, pictures.visitor, 'a.png', 'no picture')
      assertError(refused, 400, 'invalid_request')
      assert.match(refused.body.error.message, /is no picture/)
      assertError(
        await upload(pictures.widget, { token: 'forged' }, 'a.png', await png()),
        403,
        'invalid_visitor',
      )
      const patched = await pictures.agent.patch(`/widgets/${pictures.widget.id}`, { uploads: 'off' })
      assert.equal(patched.body.data.uploads, 'off')
      assertError(await upload(pictures.widget, pictures.visitor, 'a.png', await png()), 403, 'uploads_off')
    })

    it('413: a file above ten megabytes', async () => {
      const { widget, visitor } = await begin()
      const limit = 10 * 1024 * 1024
      assert.equal((await upload(widget, visitor, 'a.bin', new Uint8Array(limit + 1))).status, 413)
      assert.equal((await upload(widget, visitor, 'a.bin', new Uint8Array(limit))).status, 201)
    })

    it('429: too many uploads a minute', async () => {
      const { widget, visitor } = await begin()
      for (let n = 0; n < 20; n++) assert.equal((await upload(widget, visitor, 'a.txt', 'a')).status, 201)
      assertError(await upload(widget, visitor, 'a.txt', 'a'), 429, 'rate_limited')
    })

    it('a file that is not sent within an hour is deleted', async () => {
      const { widget, visitor } = await begin()
      const { body } = await upload(widget, visitor, 'a.txt', 'a')
      service.clock = () => Date.now() + 3_600_001
      assertError(await other(visitor, 'late', [body.data.id]), 400, 'invalid_request')
    })

    it('scrub deletes the files of a visitor', async () => {
      const { agent, widget, visitor } = await begin()
      const { body } = await upload(widget, visitor, 'Rebhuhn.txt', 'Rebhuhn der Besucherin')
      const said = await visitor.say('', { fields: { attachments: [body.data.id] } })
      const { status } = await agent.post(`/chat/completions/${said.first.id}/scrub`)
      assert.equal(status, 200)
      const [own] = (await visitor.get('/messages')).body.data
      assert.deepEqual(
        [own.content, own.attachments[0].state, own.attachments[0].name],
        ['[FILE]', 'deleted', null],
      )
      if (service.engine === 'sqlite') {
        await service.app.app.foundation.database.engine.eraseOverwritten()
        assert.deepEqual(await filesWith(service.app.dataDir, 'Rebhuhn'), [])
      }
    })
  },
  ADDRESSES,
)
