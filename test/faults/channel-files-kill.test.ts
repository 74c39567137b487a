import assert from 'node:assert/strict'
import { it } from 'node:test'
import sharp from 'sharp'
import { until } from '../support/becomes.ts'
import { engines } from '../support/databases.ts'
import { fileMessage } from '../support/media-peer.ts'
import { startModelServer } from '../support/model-server.ts'
import { addChannel, mediaOf, PERSON, startPlatformPeer } from '../support/platform-peer.ts'
import { databaseWithAgent, firstAgentOf, settingsOn, startService } from '../support/service-process.ts'
import { upload } from '../support/upload.ts'

for (const engine of engines)
  it(`a process that is killed while a file comes, and another is uploaded: each arrives once, on ${engine}`, async () => {
    await using model = await startModelServer()
    await using peer = await startPlatformPeer()
    const database = await databaseWithAgent(engine)
    const env = settingsOn(database, { PARLEY_MODEL_URL: model.url, PARLEY_PRIVATE_TARGETS: '127.0.0.1/32' })
    const first = await startService(env)
    const agentOf = firstAgentOf(first)
    const agent = agentOf(first)
    await agent.patch('/agent', { unsupported_message: null })
    const channel = await addChannel(agent, 'messenger-one', peer)
    await channel.says('Hello')
    await peer.untilSent(1)

    const { id, fields } = fileMessage('messenger-one', peer.url, '1')
    const fetching = Promise.withResolvers<void>()
    peer.files.set(id, (response) => {
      response.write('the beginning')
      fetching.resolve()
    })
    await channel.post(mediaOf('messenger-one', '1', fields))
    await fetching.promise

    // The platform has the upload, and the process never learns of it.
    const uploading = Promise.withResolvers<void>()
    peer.failNextUpload(() => uploading.resolve())
    const conversation = `messenger-one:${channel.id}:${PERSON['messenger-one']}`
    const { body } = await upload(agent, conversation, { 'invoice.txt': 'Invoice 7' })
    await agent.post(`/conversations/${conversation}/messages`, { attachments: [body.data.id] })
    await uploading.promise

    // Here the upload is the message itself: the platform has shown it to the person.
    const helpdesk = await addChannel(agent, 'helpdesk', peer)
    await helpdesk.says('Hello')
    await peer.untilSent(2)
    let shown = 0
    const showing = Promise.withResolvers<void>()
    peer.failNextUpload(() => {
      shown++
      showing.resolve()
    })
    const other = `helpdesk:${helpdesk.id}:${PERSON.helpdesk}`
    const sketch = await upload(agent, other, { 'sketch.txt': 'Sketch 3' })
    assert.equal(sketch.status, 201)
    await agent.post(`/conversations/${other}/messages`, { attachments: [sketch.body.data.id] })
    await showing.promise
    await first.end('SIGKILL')

    const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: '#c04020' } })
    peer.files.set(id, await picture.png().toBuffer())
    const next = await startService(env)
    const [sent] = await peer.untilSentFiles(1)
    assert.match(sent?.form ?? '', /filename="invoice\.txt"[\s\S]*Invoice 7/)
    const messages = async (of = conversation) =>
      (await agentOf(next).get(`/conversations/${of}/messages`)).body.data as {
        role: string
        delivery: string | null
        attachments: { state: string }[] | null
      }[]
    const about = async () =>
      (await messages())
        .filter(({ attachments }) => attachments)
        .map(({ delivery, attachments }) => [delivery, attachments?.map(({ state }) => state)])
    const expected = JSON.stringify([
      [null, ['stored']],
      ['sent', ['stored']],
    ])
    await until(async () => JSON.stringify(await about()) === expected)
    await until(async () => (await messages(other)).at(-1)?.delivery === 'unknown')
    assert.deepEqual([peer.sentFiles.length, shown], [1, 1])
    await next.end('SIGTERM')
    await database.remove()
  })
