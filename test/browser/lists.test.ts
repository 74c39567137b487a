import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { DAY_MS } from '../../src/lib/clock.ts'
import { becomes } from '../support/becomes.ts'
import { startPeer } from '../support/peer.ts'
import { addChannel, startPlatformPeer } from '../support/platform-peer.ts'
import { startConsole } from '../support/start-console.ts'
import { addWidget } from '../support/widget-visitors.ts'

describe('what lists of the console tell of their things', async () => {
  const platform = await startPlatformPeer()
  after(() => platform.close())
  const receiver = await startPeer()
  after(() => receiver.close())
  const { app, own } = await startConsole({ timezoneId: 'UTC' })

  const row = (text: string) => own.page.getByRole('listitem').filter({ hasText: text })

  it('a rule: its sentence, and how often it acted', async () => {
    const { agent } = app
    const words = { name: 'Refunds', kind: 'keywords', settings: { words: ['refund'] } }
    const { id } = (await agent.post('/evaluators', words)).body.data
    const rule = { name: 'Marks refunds', on: 'prompt', evaluator_id: id, action: 'flag' }
    assert.equal((await agent.post('/guardrails', rule)).status, 201)
    await agent.prompt('I want a refund')
    await own.page.goto(own.at('rules'))
    await row(rule.name)
      .getByText('When “Refunds” finds something in what the user writes: mark it.')
      .waitFor()
    await row(rule.name).getByText('Acted once in 30 days, last').waitFor()
    await agent.prompt('A refund, please')
    await own.page.reload()
    await row(rule.name).getByText('Acted 2 times in 30 days, last').waitFor()
  })

  it('a channel: when somebody last wrote', async () => {
    const channel = await addChannel(app.agent, 'helpdesk', platform)
    await own.page.goto(own.at('channels'))
    await row('Test helpdesk').getByText('nobody has written yet').waitFor()
    await channel.says('Hello?')
    await platform.untilSent(1)
    await own.page.reload()
    await row('Test helpdesk').getByText('last message').waitFor()
  })

  it('a webhook: what became of the last delivery', async () => {
    const hook = { name: 'Desk', url: receiver.url, events: ['prompt_submit'] }
    const { id } = (await app.agent.post('/notifications', hook)).body.data
    await app.agent.prompt('Hello')
    await becomes(
      async () => (await app.agent.get(`/notifications/${id}/deliveries`)).body.data[0]?.state,
      'delivered',
    )
    await own.page.goto(own.at('webhooks'))
    await row('Desk')
      .getByText(/delivered \(200\)/)
      .waitFor()
  })

  it('a widget: its visitors', async () => {
    const widget = await addWidget(app, app.agent)
    await own.page.goto(own.at('widgets'))
    await own.page.getByText('Nobody has written yet').waitFor()
    for (const visitor of [await widget.visit(), await widget.visit()])
      assert.equal((await visitor.say('Hello')).status, 200)
    await own.page.reload()
    await own.page.getByText('2 visitors in 30 days · last message').waitFor()
  })

  it('the knowledge: documents stand before what adds and tries them', async () => {
    const document = { title: 'Returns', content: 'Within 30 days.', source: 'returns' }
    assert.equal((await app.agent.post('/knowledge', document)).status, 201)
    await own.page.goto(own.at('knowledge'))
    await row('Returns').waitFor()
    const list = await own.page.getByRole('list', { name: 'Documents' }).boundingBox()
    const files = await own.page.getByRole('region', { name: 'Files', exact: true }).boundingBox()
    assert.ok(list && files && list.y + list.height <= files.y, 'the documents stand first')
  })

  it('analytics: axes, and the days that a period is compared with', async () => {
    const { page } = own
    const day = (at: number) => new Date(at).toISOString().slice(0, 10)
    const now = Date.now()
    await page.clock.setFixedTime(now)
    await page.goto(own.at('analytics'))
    const plot = page.getByRole('figure')
    await plot.waitFor()
    assert.equal(await plot.getByText('0', { exact: true }).count(), 1, 'the axis begins at 0')
    assert.equal(await plot.locator('.plot-names span').count(), 4, 'dates stand below')
    const [from, to] = [day(now - 59 * DAY_MS), day(now - 30 * DAY_MS)]
    await page.getByText(`Compared with ${from} to ${to}.`).waitFor()
    await page.getByLabel('Period').selectOption('Last month')
    const ofMonth = (months: number, date: number) => {
      const today = new Date(now)
      return day(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + months, date))
    }
    await page.getByText(`Compared with ${ofMonth(-2, 1)} to ${ofMonth(-1, 0)}.`).waitFor()
    assert.equal(await page.getByLabel('From').inputValue(), ofMonth(-1, 1))
    assert.equal(await page.getByLabel('To', { exact: true }).inputValue(), ofMonth(0, 0))
    assert.deepEqual(own.faults.splice(0), [])
  })
})
