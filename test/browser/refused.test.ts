import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import type { Browser, Request } from 'playwright-core'
import { startApp, type TestApp } from '../support/app.ts'
import { launchBrowser } from '../support/chromium.ts'
import { fillConsole } from '../support/fill-console.ts'
import { keywords, made } from '../support/on-rules.ts'
import { pressAll, type Walk } from '../support/press-all.ts'
import { openSignedIn, type SignedInPage } from '../support/signed-in.ts'
import { sitePage, startSite } from '../support/site.ts'

/** On this page single keys are switched off. */
const LAST = 'settings/account'

/**
 * The pages below an agent, from the sources of `console/routes.tsx`.
 * @param examples what takes the place of a part of an address; else 1
 */
async function pathsOfPages(examples: Record<string, readonly string[]>): Promise<string[]> {
  const source = await readFile(new URL('../../console/routes.tsx', import.meta.url), 'utf8')
  const found = source.matchAll(
    /const (\w+) = (?:createRoute\(\{\s+getParentRoute: \(\) =>|page\()\s*(\w+),\s+(?:path: )?'([^']+)'/g,
  )
  const routes = new Map([...found].map(([, name = '', parent = '', path = '']) => [name, { parent, path }]))
  const pathOf = (name: string): string => {
    const route = routes.get(name)
    return route ? `${pathOf(route.parent)}${route.path.replace(/\/$/, '')}` : ''
  }
  const within = '/agents/$agentId/'
  const paths = [...routes.keys()].map(pathOf).filter((path) => path.startsWith(within))
  const named = Object.entries(examples).reduce(
    (paths, [part, values]) =>
      paths.flatMap((path) =>
        path.includes(part) ? values.map((value) => path.replace(part, value)) : path,
      ),
    paths.map((path) => path.slice(within.length)),
  )
  return [...new Set(named.map((path) => path.replaceAll(/\$\w+/g, '1')))]
}

describe('what a reader could press', () => {
  let app: TestApp
  let browser: Browser
  let reader: SignedInPage
  let walk: Walk
  let paths: string[] = []
  let where = ''
  const refused: string[] = []

  before(async () => {
    app = await startApp('sqlite')
    const { agent } = app
    await fillConsole(app, `${app.url}/healthz`)
    await made(agent, '/replies', { shortcut: 'hours', content: 'From nine to five.' })
    await made(agent, '/widgets', { name: 'Shop' })
    const evaluator_id = await keywords(agent, 'Delivery')
    const guardrail = await made(agent, '/guardrails', {
      name: 'No delivery',
      evaluator_id,
      on: 'prompt',
      action: 'flag',
    })
    const cta = await made(agent, '/ctas', { name: 'Sale', content: 'Now.' })
    const actions = [{ type: 'tag', tag: 'seen' }]
    const automation = await made(agent, '/automations', { name: 'Tag', actions })
    const atDesk = await made(agent, '/automations', { name: 'Begun', on: 'opened', actions })
    await using site = await startSite({ '/': sitePage('Shop', 'We sell kettles.', []) })
    await made(agent, '/knowledge/imports', { url: site.url })
    const [conversation, ended] = (await agent.get('/conversations')).body.data
    await agent.post(`/conversations/${conversation.id}/notes`, { text: 'She has called.' })
    await agent.post(`/conversations/${conversation.id}/wait`)
    await agent.post(`/conversations/${ended.id}/end`)
    const all = await pathsOfPages({
      $conversationId: [conversation.id, ended.id],
      '$kind/$ruleId': [
        `guardrails/${guardrail}`,
        `ctas/${cta}`,
        `automations/${automation}`,
        `automations/${atDesk}`,
        `evaluators/${evaluator_id}`,
        'guardrails/new',
        'evaluators/new',
      ],
      $toolId: ['1', 'new'],
      $userId: ['Delivery'],
    })
    paths = all.toSorted((one, other) => Number(one === LAST) - Number(other === LAST))
    browser = await launchBrowser()
    reader = await openSignedIn(browser, app, { right: 'read' })
    walk = walkOf(reader)
  })
  after(async () => {
    await browser?.close()
    await app?.close()
  })

  /** Notes what the service refuses because of the right. */
  function walkOf({ page }: SignedInPage): Walk {
    const open = new Set<Request>()
    page.on('dialog', (dialog) => void dialog.accept().catch(() => {}))
    const file = { name: 'a.md', mimeType: 'text/markdown', buffer: Buffer.from('# A') }
    page.on('filechooser', (chooser) => void chooser.setFiles(file))
    page.on('request', (request) => {
      if (!/\/live(\?|$)/.test(request.url())) open.add(request)
    })
    const ended = (request: Request) => void open.delete(request)
    page.on('requestfailed', ended)
    page.on('requestfinished', ended)
    page.on('response', async (response) => {
      if (response.status() !== 403) return
      const request = response.request()
      const at = `${where}: ${request.method()} ${new URL(request.url()).pathname}`
      const { error } = await response.json().catch(() => ({ error: { code: 'unread' } }))
      if (error.code === 'insufficient_right') refused.push(at)
    })
    return {
      page,
      async quiet() {
        do await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))')
        while (open.size > 0)
      },
      onPress(name) {
        where = `${where.split(', ')[0]}, ${name}`
      },
    }
  }

  it('is refused nowhere around the pages', async () => {
    where = 'navigation'
    const pressed = await pressAll(walk, reader.at('inbox'), 'nav')
    assert.deepEqual(refused.splice(0), [])
    assert.ok(pressed.length > 0)
  })

  it('is refused on no page', async () => {
    let pressed = 0
    for (const path of paths) {
      where = path
      pressed += (await pressAll(walk, reader.at(path))).length
    }
    assert.deepEqual(refused, [])
    assert.ok(paths.length > 45, `pages that were found: ${paths}`)
    assert.ok(pressed > 30, `${pressed} things were pressed`)
  })
})
