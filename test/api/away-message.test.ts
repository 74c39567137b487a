import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { TestAgent } from '../support/app.ts'
import { becomes } from '../support/becomes.ts'
import { onBothEngines } from '../support/on-both-engines.ts'

const HOUR_MS = 3_600_000
const HOURS = {
  time_zone: 'Europe/Berlin',
  week: [{ days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' }],
  holidays: [],
}
const AWAY = {
  hours: HOURS,
  away_message: 'We are back on {back_at}.',
  texts: { de: { away_message: 'Wir sind am {back_at} wieder da.' } },
}
/** A Saturday. */
const NIGHT = Date.parse('2026-11-28T12:00:00Z')
const BACK = 'We are back on Monday November 30 2026 at 9:00 AM.'

onBothEngines('the away message', (service) => {
  async function waiting(agent: TestAgent, content = 'Hello, where is my parcel now?') {
    service.clock = () => NIGHT
    const { conversation_id: id } = await agent.prompt(content)
    await agent.post(`/conversations/${id}/wait`)
    return id
  }
  async function waitsAgain(agent: TestAgent, id: string) {
    await agent.post(`/conversations/${id}/resume`)
    await agent.post(`/conversations/${id}/wait`)
  }
  const said = async (agent: TestAgent, id: string) => {
    const { data } = (await agent.get(`/conversations/${id}/messages`)).body
    return data
      .filter(({ role }: { role: string }) => role === 'transition')
      .map(({ content }: { content: string }) =>
        content.replace(/,|\u202f|\u00a0/g, (space) => (space === ',' ? '' : ' ')),
      )
  }
  /** Waits until nothing is left to be said. */
  async function settled(id: string) {
    const due = service.app.app.foundation.database.db
      .selectFrom('away_messages')
      .select('id')
      .where('conversation_id', '=', id)
      .where('due_at', 'is not', null)
    await becomes(() => due.execute(), [])
  }

  it('is said when a conversation begins to wait outside of the hours, once until people are back', async () => {
    const agent = await service.addAgent({ settings: AWAY })
    const id = await waiting(agent)
    await becomes(() => said(agent, id), [BACK])
    await waitsAgain(agent, id)
    await settled(id)
    assert.deepEqual(await said(agent, id), [BACK])
    // Two evenings later, people have been there meanwhile.
    service.clock = () => NIGHT + 3 * 24 * HOUR_MS + 8 * HOUR_MS
    await waitsAgain(agent, id)
    const again = 'We are back on Wednesday December 2 2026 at 9:00 AM.'
    await becomes(() => said(agent, id), [BACK, again])
    const { last_message } = (await agent.get(`/inbox/${id}`)).body.data
    assert.notEqual(last_message.role, 'transition', 'it moves no conversation')
  })

  it('is said again after the hours have changed, also where they had no end', async () => {
    const agent = await service.addAgent({ settings: { ...AWAY, hours: { ...HOURS, week: [] } } })
    const id = await waiting(agent)
    const never = 'We are back on .'
    await becomes(() => said(agent, id), [never])
    await waitsAgain(agent, id)
    await settled(id)
    assert.deepEqual(await said(agent, id), [never])
    await agent.patch('/agent', { hours: HOURS })
    await waitsAgain(agent, id)
    await becomes(() => said(agent, id), [never, BACK])
  })

  it('is said in the language of the conversation', async () => {
    const agent = await service.addAgent({ settings: AWAY })
    const id = await waiting(agent, 'Guten Tag, wo ist meine Bestellung geblieben?')
    await becomes(() => said(agent, id), ['Wir sind am Montag 30. November 2026 um 09:00 wieder da.'])
  })

  it('is not said while people are there, nor without hours or a message', async () => {
    for (const settings of [
      { away_message: AWAY.away_message },
      { hours: HOURS },
      { ...AWAY, hours: { ...HOURS, week: [{ days: [6], from: '00:00', to: '24:00' }] } },
    ]) {
      const agent = await service.addAgent({ settings })
      const id = await waiting(agent)
      await settled(id)
      assert.deepEqual(await said(agent, id), [])
    }
  })

  it('400: it holds {back_at} and the variables that there are', async () => {
    const agent = await service.addAgent()
    const { status, body } = await agent.patch('/agent', { away_message: 'Back {{soon}}' })
    assert.equal(status, 400)
    assert.equal(body.error.param, 'away_message')
    for (const [param, patch] of [
      ['away_message', { away_message: 'Back {bck_at}' }],
      ['texts.de.away_message', { texts: { de: { away_message: 'Bis {wann}' } } }],
    ] as const) {
      const refused = await agent.patch('/agent', patch)
      assert.equal(refused.status, 400, param)
      assert.equal(refused.body.error.param, param)
    }
    const taken = await agent.patch('/agent', { away_message: '{{date}}: back {back_at}, {promised}!' })
    assert.equal(taken.status, 400)
    assert.equal((await agent.patch('/agent', { away_message: '{{date}}: {back_at} {}' })).status, 200)
  })
})
