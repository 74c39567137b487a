import assert from 'node:assert/strict'
import { it } from 'node:test'
import { exampleIn } from '../support/guide.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

/** Writes messages as docs/models.md shows them, with the same code in all marks. */
function written(messages: readonly { role: string; content: unknown }[]): string {
  const lines = messages.flatMap(({ role, content }) => [
    `- role: ${role}`,
    '  content: |',
    ...String(content)
      .split('\n')
      .map((line) => (line === '' ? '' : `    ${line}`)),
  ])
  return `${lines.join('\n')}\n`.replaceAll(/(?<=<\/?[a-z]+(?: \d+)? )\w{16}(?=>)/g, '4f1c9a7be02d6583')
}

onBothEngines('docs/models.md', (service) => {
  it('shows what is sent to a model', async () => {
    const instructions = 'You help the customers of Kettle & Co.'
    const agent = await service.addAgent({ settings: { instructions, time_zone: 'Europe/Berlin' } })
    for (const [title, content] of [
      ['Returns', 'A kettle can be returned within 30 days, in its box.'],
      ['Opening hours', 'The shop is open from Monday to Friday, nine to five.'],
    ])
      assert.equal((await agent.post('/knowledge', { title, content })).status, 201)
    service.clock = () => Date.parse('2026-11-26T09:30:00.000Z')
    service.model.answer = { text: 'Within 30 days, in its box [1].' }
    const asking = { user: 'ada', external_id: 'one' }
    await agent.prompt('How long may I return a kettle?', asking)
    await agent.patch('/users/ada', { name: 'Ada Lovelace', attributes: { plan: 'gold' } })
    service.clock = () => Date.parse('2026-11-26T09:31:00.000Z')
    await agent.prompt('When is the shop open? Is it open now?', asking)
    const { messages } = service.model.requests.at(-1)?.body ?? { messages: [] }
    assert.equal(exampleIn('docs/models.md', 'yaml', '- role: system'), written(messages))
  })
})
