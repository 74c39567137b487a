import assert from 'node:assert/strict'
import { afterEach, describe, it } from 'node:test'
import { becomes } from '../support/becomes.ts'
import { accessibilityFaults, isTooWide } from '../support/chromium.ts'
import { startConsole } from '../support/start-console.ts'

const MEGABYTE = 1_000_000
/** Longer messages are shown whole only when somebody asks. */
const SHOWN_AT_FIRST = 6_000

/** Texts that somebody might send to harm their readers. */
const HOSTILE = {
  markup: '<img src=x onerror="document.title=\'taken\'"><script>document.title="taken"</script>',
  link: '[click](javascript:alert(1)) [data](data:text/html,<script>alert(1)</script>) [tab](java\tscript:alert(1))',
  direction: '\u202Etxt.exe\u202C \u2066\u2067mixed שלום\u2069',
  word: 'x'.repeat(100_000),
  lists: '- a\n'.repeat(MEGABYTE / 4),
  marks: '*a*'.repeat(MEGABYTE / 3),
  brackets: '['.repeat(MEGABYTE),
  emoji: '👩‍👩‍👧‍👦'.repeat(20_000),
}

describe('hostile texts in the inbox', async () => {
  const { app, own, page } = await startConsole({ right: 'respond' })
  // While a page is busy with a long text, its stream may be cut off. It resumes, but the browser reports a fault.
  const isCutOff = (fault: string) => fault.endsWith('net::ERR_INCOMPLETE_CHUNKED_ENCODING')
  afterEach(() =>
    assert.deepEqual(
      own.faults.splice(0).filter((fault) => !isCutOff(fault)),
      [],
    ),
  )

  const thread = () => page.getByRole('log', { name: 'What was said' })

  for (const [name, text] of Object.entries(HOSTILE)) {
    it(`${name}: is text, draws little at once, and leaves the page usable`, async () => {
      const user = name === 'word' ? 'y'.repeat(250) : `${name} ${text}`.slice(0, 120)
      const { conversation_id } = await app.agent.prompt('hello', { user })
      const said = await app.agent.post(`/conversations/${conversation_id}/messages`, {
        content: text.slice(0, 100_000),
        author: text.slice(0, 150),
      })
      assert.equal(said.status, 200, said.text)
      if (text.length > 100_000) await app.agent.prompt(text.slice(0, MEGABYTE), { conversation_id })
      const last = await app.agent.post(`/conversations/${conversation_id}/messages`, { content: 'the end' })
      assert.equal(last.status, 200)
      await page.goto(own.at(`inbox/${conversation_id}`))
      await thread().getByText('the end', { exact: true }).waitFor()
      assert.notEqual(await page.title(), 'taken')
      await becomes(() => page.locator('.thread a:not([href^="http"]):not([href^="mailto"])').count(), 0)
      await becomes(async () => (await page.locator('.thread *').count()) < 15_000, true)
      assert.equal(await isTooWide(page), false)
      if (name === 'markup' || name === 'direction') assert.deepEqual(await accessibilityFaults(page), [])
      const whole = thread().getByRole('button', { name: /^Show all/ })
      if (text.length <= SHOWN_AT_FIRST) return
      await whole.last().click()
      await thread().locator('.long-text').first().waitFor()
      assert.equal(await isTooWide(page), false)
    })
  }
})
