import assert from 'node:assert/strict'
import { it } from 'node:test'
import { onBothEngines } from '../support/on-both-engines.ts'

const url = 'https://93.184.215.14/hook'
const made: [string, Record<string, unknown>][] = [
  ['/channels', { kind: 'messenger-three', settings: { channel_secret: 's' } }],
  ['/notifications', { name: 'N', url, events: ['*'] }],
  ['/evaluators', { name: 'E', kind: 'keywords', settings: { words: ['a'] } }],
  ['/ctas', { name: 'C', content: 'Look' }],
  ['/knowledge', { content: 'Some text.' }],
  ['/automations', { name: 'A', actions: [{ type: 'tag', tag: 'seen' }] }],
]

let titles = 0

onBothEngines('ids', (service) => {
  for (const [path, body] of made)
    it(`${path}: the id of one that was deleted is never another's`, async () => {
      const agent = await service.addAgent()
      const make = async () => {
        // In knowledge, the same title would mean the same document.
        const title = path === '/knowledge' ? { title: `Title ${++titles}` } : {}
        const { status, text, body: answer } = await agent.post(path, { ...body, ...title })
        assert.equal(status, 201, text)
        return answer.data.id as number
      }
      const first = await make()
      const last = await make()
      assert.equal((await agent.call('DELETE', `${path}/${last}`)).status, 204)
      const next = await make()
      assert.ok(next > last)
      for (const id of [first, next]) assert.equal((await agent.call('DELETE', `${path}/${id}`)).status, 204)
      assert.ok((await make()) > next)
    })

  it('a new notification tells of its deliveries with ids of their own', async () => {
    const agent = await service.addAgent()
    const idsOf = async () => {
      const { body } = await agent.post('/notifications', { name: 'N', url, events: ['*'] })
      const { id } = body.data
      await agent.prompt('hello')
      const { data } = (await agent.get(`/notifications/${id}/deliveries`)).body
      assert.ok(data.length > 0)
      assert.equal((await agent.call('DELETE', `/notifications/${id}`)).status, 204)
      return data.map((delivery: { id: number }) => delivery.id) as number[]
    }
    const before = await idsOf()
    assert.ok(Math.min(...(await idsOf())) > Math.max(...before))
  })
})
