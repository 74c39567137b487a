import assert from 'node:assert/strict'
import { it } from 'node:test'
import { openLive } from '../support/live-stream.ts'
import { startModelServer } from '../support/model-server.ts'
import { databaseWithAgent, firstAgentOf, settingsOn, startService } from '../support/service-process.ts'
import { addWidget, eventLike, SITE } from '../support/widget-visitors.ts'

it("a visitor's token and stream hold on both replicas on postgres, also when one of them dies", async () => {
  await using model = await startModelServer()
  const database = await databaseWithAgent('postgres')
  const env = settingsOn(database, { PARLEY_MODEL_URL: model.url })
  const first = await startService(env)
  const second = await startService(env)
  try {
    const agent = firstAgentOf(first)(first)
    const widget = await addWidget(first, agent)
    const visitor = await widget.visit()
    const id = (await visitor.say('Hello')).first.conversation_id as string
    const there = `${second.url}/widget/v1/${widget.key}`
    const headers = { authorization: `Bearer ${visitor.token}`, origin: SITE }
    const read = await fetch(`${there}/messages`, { headers })
    const { data } = (await read.json()) as { data: unknown[] }
    assert.equal(data.length, 2, 'the token is good there too')

    const stream = await openLive(`${there}/live`, headers)
    assert.equal(stream.status, 200)
    await agent.post(`/conversations/${id}/messages`, { content: 'One', author: 'Grace Hopper' })
    const one = await eventLike(stream, ({ message }) => message?.content === 'One')
    assert.equal(one.message.author, 'Grace')
    const feed = model.feed()
    await agent.post(`/conversations/${id}/resume`)
    const said = visitor.say('And now?')
    await model.request(1)
    feed.push('Two')
    feed.end()
    await said
    await eventLike(stream, ({ message }) => message?.content === 'Two')

    // The replica with the stream dies; the visitor's browser resumes at the other one.
    await second.end('SIGKILL')
    await stream.ended
    await agent.post(`/conversations/${id}/messages`, { content: 'Three', author: 'Grace' })
    const resumed = await visitor.listen('', { 'last-event-id': stream.lastId })
    assert.equal(resumed.status, 200)
    await agent.post(`/conversations/${id}/messages`, { content: 'Four', author: 'Grace' })
    await eventLike(resumed, ({ message }) => message?.content === 'Four')
    const texts = [...stream.events, ...resumed.events].flatMap(({ type, message }) =>
      type === 'message' && ['assistant', 'operator'].includes(message.role) ? message.content : [],
    )
    assert.deepEqual(texts, ['One', 'Two', 'Three', 'Four'])
    resumed.leave()
  } finally {
    await Promise.all([first.end('SIGTERM'), second.end('SIGTERM')])
    await database.remove()
  }
})
