import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '../support/chromium.ts'
import { freshDatabase } from '../support/databases.ts'
import { type ModelServer, startModelServer } from '../support/model-server.ts'
import { firstAgentOf, type ServiceProcess, settingsOn, startService } from '../support/service-process.ts'
import { asVisit, startWidget, type TestWidget, type Visit } from '../support/widget.ts'

describe('widget and a connection that breaks', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>
  let model: ModelServer
  let service: ServiceProcess
  let agentOf: ReturnType<typeof firstAgentOf>
  let browser: Browser
  let widget: TestWidget
  let visit: Visit
  let env: Record<string, string>

  before(async () => {
    database = await freshDatabase('sqlite')
    model = await startModelServer()
    env = settingsOn(database, { PARLEY_MODEL_URL: model.url, PARLEY_PRIVATE_TARGETS: '127.0.0.1/32' })
    service = await startService(env)
    agentOf = firstAgentOf(service)
    browser = await launchBrowser()
    widget = await startWidget(service.url, agentOf(service))
    visit = await widget.visit(browser)
    await visit.open()
  })
  after(async () => {
    await browser?.close()
    await widget?.site.close()
    await service?.end('SIGTERM')
    await model?.close()
    await database?.remove()
  })

  const context = () => visit.page.context()
  /** The texts of the visitor's messages, as the service has them. */
  async function received(): Promise<string[]> {
    const { body } = await agentOf(service).call('GET', '/chat/completions?per_page=100')
    return body.data.map(({ prompt }: { prompt: string }) => prompt).reverse()
  }

  it('what is sent without a connection waits, says so, and is sent once', async () => {
    await context().setOffline(true)
    await visit.page.getByText('No connection. What you write is sent when it is back.').waitFor()
    await visit.ask('First')
    await visit.ask('Second')
    await visit.page.getByText('Waiting for the connection').nth(1).waitFor()
    await context().setOffline(false)
    await visit.answer('First')
    await visit.answer('Second')
    await visit.page.getByText('No connection.').waitFor({ state: 'hidden' })
    assert.deepEqual(await received(), ['First', 'Second'])
    assert.equal(await visit.page.locator('.entry').count(), 4)
  })

  it('what waits outlives the page', async () => {
    await visit.page.route('**/widget/v1/**', (route) => route.abort())
    await visit.ask('Third')
    await visit.page.locator('.entry.user', { hasText: 'Third' }).waitFor()
    await visit.page.reload()
    await visit.page.unroute('**/widget/v1/**')
    await visit.answer('Third')
    assert.deepEqual(await received(), ['First', 'Second', 'Third'])
  })

  it('what waits in one tab outlives what is sent in another one', async () => {
    const { page } = visit
    const other = asVisit({ ...visit, page: await context().newPage() })
    await other.page.goto(widget.site.origin)
    await other.open()
    const asked = '**/widget/v1/*/messages'
    await context().route(asked, (route) => route.abort())
    await visit.ask('Fourth')
    await page.getByText('Waiting for the connection').waitFor()
    await other.ask('Fifth')
    await other.page.getByText('Waiting for the connection').waitFor()
    await other.page.close()
    await page.goto('about:blank')
    await context().unroute(asked)
    await page.goto(widget.site.origin)
    await visit.answer('Fourth')
    await visit.answer('Fifth')
    // Each tab that tries again puts its own behind those of others.
    assert.deepEqual((await received()).slice(3).sort(), ['Fifth', 'Fourth'])
  })

  it('an answer that breaks off is completed when the connection is back', async () => {
    const feed = model.feed()
    await visit.ask('Tell me more')
    feed.push('The beginning, ')
    await visit.answer('The beginning,')
    await context().setOffline(true)
    feed.push('the middle, ')
    feed.push('and the end.')
    feed.end()
    await visit.page.getByText('No connection.').waitFor()
    await context().setOffline(false)
    const whole = visit.page.locator('.entry.assistant').getByText('The beginning, the middle, and the end.')
    await whole.and(visit.page.getByText(/^The beginning, the middle, and the end\.$/)).waitFor()
    assert.equal(await visit.page.locator('.entry.assistant', { hasText: 'The beginning' }).count(), 1)
    assert.equal(await visit.page.locator('.entry.user', { hasText: 'Tell me more' }).count(), 1)
  })

  it('a restart of the service under an open chat loses no message', async () => {
    const { port } = new URL(service.url)
    await service.end('SIGTERM')
    await visit.ask('Are you back?')
    service = await startService({ ...env, PARLEY_PORT: port })
    await visit.answer('Are you back?')
    const { body } = await agentOf(service).call('GET', '/chat/completions?per_page=1')
    const path = `/conversations/${body.data[0].conversation_id}`
    await agentOf(service).call('POST', `${path}/messages`, { content: 'I am here too.', author: 'Grace' })
    await visit.page.locator('.entry.operator', { hasText: 'I am here too.' }).waitFor()
    assert.equal(await visit.page.locator('.entry.user', { hasText: 'Are you back?' }).count(), 1)
  })
})
