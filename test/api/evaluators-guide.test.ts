import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { it } from 'node:test'
import { checkCondition } from '../../src/conditions/check-condition.ts'
import { fields } from '../../src/conditions/fields.ts'
import { kindNames } from '../../src/evaluators/kinds.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { startPeer } from '../support/peer.ts'

const guide = readFileSync('docs/rules.md', 'utf8')
const created = [...guide.matchAll(/```http\nPOST \/api\/v1\/evaluators\n\n([^`]+)```/g)].map(
  ([, body]) => body ?? '',
)
const [, condition = ''] = /```json\n(\{\s+"all"[^`]+)```/.exec(guide) ?? []

onBothEngines('the guide to rules', (service) => {
  it('has evaluators that can be made', async () => {
    const agent = await service.addAgent()
    await using judge = await startPeer()
    assert.ok(created.length >= 7)
    for (const body of created) {
      const { status, text } = await agent.post(
        '/evaluators',
        body.replace('https://judge.example.com', judge.url),
      )
      assert.equal(status, 201, `${body} ${text}`)
    }
    const [refunds] = (await agent.get('/evaluators')).body.data.slice(-1)
    const { data } = (await agent.post(`/evaluators/${refunds.id}/try`, { text: 'I want my money back!' }))
      .body
    assert.deepEqual(
      { ...data, duration_ms: 0.1 },
      JSON.parse(/\{ "data": .*"duration_ms".*/.exec(guide)?.[0] ?? '').data,
    )
  })

  it('has a condition that can be saved, every field and every kind', () => {
    assert.equal(checkCondition(JSON.parse(condition)), null)
    for (const name of [...Object.keys(fields), ...kindNames]) assert.ok(guide.includes(`\`${name}\``), name)
  })
})
