import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startConsole } from '../support/start-console.ts'

describe('notices in the console', async () => {
  const { app, own, page, button, nothingWrong } = await startConsole()

  it('the side bar counts them, and one leads to its conversation, which reads it', async () => {
    await page.goto(own.at('inbox'))
    await button('Notices').click()
    await page.getByText('Nothing concerns you yet.').waitFor()
    await page.keyboard.press('Escape')
    const { conversation_id: id } = await app.agent.prompt('Where is my parcel?')
    await app.agent.post(`/conversations/${id}/wait`)
    await button('Notices, 1 unread').click()
    await nothingWrong()
    const looked = page.waitForResponse(`**/conversations/${id}/presence`)
    await page.getByRole('link', { name: 'A user waits for a person' }).click()
    await page.waitForURL(`**/inbox/${id}`)
    await looked
    await button('Notices').waitFor()
    await app.agent.post(`/conversations/${id}/notes`, { text: '@Test Person: he waits.' })
    // Who looks is told of nothing more.
    await button('Notices').click()
    const listed = page.getByRole('dialog').getByRole('link')
    await listed.first().waitFor()
    assert.equal(await listed.count(), 1)
    await nothingWrong()
  })

  it('has more of them than the newest', async () => {
    const ids: string[] = []
    for (let at = 0; at < 35; at++) {
      const { conversation_id: id } = await app.agent.prompt('Where is my parcel?')
      await app.agent.post(`/conversations/${id}/wait`)
      ids.push(id)
    }
    await page.goto(own.at('inbox'))
    await button('Notices, 35 unread').click()
    const listed = page.getByRole('dialog').getByRole('link')
    await listed.nth(29).waitFor()
    await button('Show more').click()
    await listed.nth(34).click()
    await page.waitForURL(`**/inbox/${ids[0]}`)
    await button('Notices, 34 unread').waitFor()
    await nothingWrong()
  })

  it('keeps each of two choices that follow fast', async () => {
    const both = Promise.withResolvers<void>()
    await page.route('**/notices/settings', async (route) => {
      if (route.request().method() === 'PUT') await both.promise
      await route.continue()
    })
    await page.goto(own.at('settings/account'))
    const ofMentions = page.getByRole('switch', { name: 'Mentions: In the console' })
    const ofReplies = page.getByRole('switch', { name: 'Messages in your conversations: In the console' })
    await ofMentions.click({ force: true })
    await ofReplies.click({ force: true })
    both.resolve()
    const saved = page.getByText('Saved')
    await saved.nth(1).waitFor()
    await page.reload()
    await ofMentions.waitFor()
    assert.deepEqual([await ofMentions.isChecked(), await ofReplies.isChecked()], [false, false])
    await nothingWrong()
  })
})
