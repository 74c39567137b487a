import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { becomes } from '../support/becomes.ts'
import { fillConsole } from '../support/fill-console.ts'
import { assertPageIsClean } from '../support/looks.ts'
import { startConsole } from '../support/start-console.ts'

const AREAS = [
  'agent',
  'model',
  'messages',
  'hours',
  'targets',
  'macros',
  'replies',
  'redaction',
  'versions',
  'export',
  'work',
  'people',
  'groups',
  'credentials',
  'team',
  'audit',
  'account',
]

describe('each area of the settings with things in it, on a phone and in the dark', async () => {
  const { app, own } = await startConsole()
  await fillConsole(app, `${app.url}/healthz`)

  for (const area of AREAS) it(area, () => assertPageIsClean(own, own.at(`settings/${area}`)))

  it('none is missing here', async () => {
    await own.page.goto(own.at('settings/agent'))
    const links = own.page.getByRole('navigation', { name: 'Settings' }).getByRole('link')
    const paths = async () => {
      const all = await links.evaluateAll((links) => links.map(({ href }: { href: string }) => href))
      return all.map((path) => path.split('/').at(-1) ?? '').sort()
    }
    await becomes(paths, AREAS.toSorted())
    assert.deepEqual(own.faults.splice(0), [])
  })
})
