import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { becomes } from '../support/becomes.ts'
import { fillConsole } from '../support/fill-console.ts'
import { assertPageIsClean } from '../support/looks.ts'
import { startConsole } from '../support/start-console.ts'

/** Each entry of the side bar. */
const PAGES = [
  'inbox',
  'search',
  'users',
  'start',
  'playground',
  'knowledge',
  'rules',
  'tools',
  'tests',
  'channels',
  'widgets',
  'webhooks',
  'analytics',
  'support',
]
/** Pages of one thing. */
const ONE = [
  'knowledge/1',
  'webhooks/1',
  'tools/1',
  'tools/new',
  'tests/1',
  'tests/1/cases/1',
  'tests/1/runs/1',
  'channels/1',
  'inbox/{conversation}',
]

describe('each page with things in it, on a phone and in the dark', async () => {
  const { app, own } = await startConsole()
  await fillConsole(app, `${app.url}/healthz`)
  const conversation = (await app.agent.get('/conversations?per_page=1')).body.data[0].id

  for (const path of [...PAGES, ...ONE])
    it(path, () => assertPageIsClean(own, own.at(path.replace('{conversation}', conversation))))

  it('none is missing here', async () => {
    await own.page.goto(own.at('knowledge'))
    const links = own.page.locator('nav a[href]')
    const paths = async () => {
      const all = await links.evaluateAll((links) => links.map(({ href }: { href: string }) => href))
      return [...new Set(all.map((path) => path.split('/').at(-1) ?? ''))].sort()
    }
    await becomes(paths, [...PAGES, 'settings'].sort())
    assert.deepEqual(own.faults.splice(0), [])
  })
})
