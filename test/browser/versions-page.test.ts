import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { becomes } from '../support/becomes.ts'
import { accessibilityFaults, showIn } from '../support/chromium.ts'
import { assertClean } from '../support/looks.ts'
import { openSignedIn } from '../support/signed-in.ts'
import { startConsole } from '../support/start-console.ts'

const RULES = 'You help the customers of a shop.\nBe brief.\nName the source.'

describe('versions of the settings', async () => {
  const { app, browser, own, page, button } = await startConsole()

  const rows = () => page.getByRole('list', { name: 'Versions' }).getByRole('listitem')
  async function change(body: object): Promise<void> {
    const { status, text } = await app.agent.patch('/agent', body)
    assert.equal(status, 200, text)
  }
  async function picture(name: string): Promise<void> {
    if (!process.env.PARLEY_SCREENSHOTS) return
    const folder = `${process.env.TMPDIR ?? '/tmp'}/parley-versions`
    await mkdir(folder, { recursive: true })
    for (const [look, scheme, width] of [
      ['light', 'light', 1280],
      ['dark', 'dark', 1280],
      ['phone', 'light', 390],
    ] as const) {
      await showIn(page, scheme)
      await page.setViewportSize({ width, height: 800 })
      await page.screenshot({ path: `${folder}/${name}-${look}.png`, animations: 'disabled' })
    }
    await showIn(page, 'light')
    await page.setViewportSize({ width: 1280, height: 800 })
  }

  it('says what it is for while nothing was changed', async () => {
    await page.goto(own.at('settings/versions'))
    await page.getByText('Nothing has been changed yet').waitFor()
    await picture('empty')
    await assertClean(own)
  })

  it('lists who changed what, newest first', async () => {
    await change({ instructions: RULES })
    await change({
      instructions: RULES.replace('Be brief.', 'Answer in one sentence.'),
      model: { url: 'https://1.1.1.1/v1', api_key: 'sk-a-very-secret-key' },
    })
    await page.goto(own.at('settings/versions'))
    await rows().nth(2).waitFor()
    await becomes(
      () =>
        rows()
          .getByText(/^Version \d$/)
          .allTextContents(),
      ['Version 3', 'Version 2', 'Version 1'],
    )
    await rows().first().getByText('Instructions, Model server: Address, Model server: API key').waitFor()
    await rows().last().getByText('Before the first change').waitFor()
  })

  it('shows what changed: lines of long texts, and of a secret only that it did', async () => {
    await button('What changed: Version 3').click()
    await rows().first().getByRole('deletion').filter({ hasText: 'Be brief.' }).waitFor()
    await rows().first().getByRole('insertion').filter({ hasText: 'Answer in one sentence.' }).waitFor()
    await rows().first().getByText('Changed. Versions hold no secrets.').waitFor()
    await becomes(async () => (await page.content()).includes('very-secret'), false)
    await picture('full')
    await assertClean(own)
  })

  it('restores a version after showing what will change, and lists it', async () => {
    await button('Restore: Version 2').click()
    const asked = page.getByRole('dialog', { name: 'Restore version 2?' })
    await asked.getByRole('insertion').filter({ hasText: 'Be brief.' }).waitFor()
    await picture('restore')
    assert.deepEqual(await accessibilityFaults(page), [])
    await asked.getByRole('button', { name: 'Restore', exact: true }).click()
    await page.getByText('The agent has the settings of version 2 again.').waitFor()
    await rows().first().getByText('Version 4').waitFor()
    const { data } = (await app.agent.get('/agent')).body
    assert.deepEqual([data.instructions, data.model.url, data.model.api_key.set], [RULES, null, false])
    await page.goto(own.at('settings/agent'))
    await becomes(() => page.getByLabel('Instructions', { exact: true }).inputValue(), RULES)
    assert.deepEqual(own.faults.splice(0), [])
  })

  it('people who may only read see the changes, and no way back', async () => {
    const reader = await openSignedIn(browser, app, { right: 'read' })
    await reader.page.goto(reader.at('settings/versions'))
    await reader.page.getByRole('button', { name: 'What changed: Version 4', exact: true }).waitFor()
    await becomes(() => reader.page.getByRole('button', { name: /^Restore/ }).count(), 0)
    await reader.close()
  })
})
