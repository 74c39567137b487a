import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { becomes } from '../support/becomes.ts'
import { accessibilityFaults, isTooWide } from '../support/chromium.ts'
import { takeLooks } from '../support/looks.ts'
import { addChannel, PERSON, startPlatformPeer } from '../support/platform-peer.ts'
import { startConsole } from '../support/start-console.ts'

describe('users who are one person', async () => {
  const { app, own, page, button, nothingWrong } = await startConsole()
  const identities = async () => (await app.agent.get('/users/ada')).body.data.identities.length

  it('merges one into another, who is looked for, after it has shown what moves', async () => {
    for (const user of ['ada', 'ada-at-home', 'bob']) await app.agent.prompt('Hello', { user })
    await app.agent.patch('/users/ada', { name: 'Ada Lovelace', attributes: { plan: 'gold' } })
    const more = { plan: 'basic', city: 'London' }
    await app.agent.patch('/users/ada-at-home', { attributes: more })
    await page.goto(own.at('users/api:ada-at-home'))
    await button('Merge into…').click()
    const dialog = page.getByRole('dialog', { name: 'Merge ada-at-home into another person' })
    await dialog.getByRole('radio', { name: 'bob' }).waitFor()
    await dialog.getByRole('button', { name: 'Merge', disabled: true }).waitFor()
    await page.keyboard.type('lovel')
    await dialog.getByRole('radio', { name: 'bob' }).waitFor({ state: 'hidden' })
    assert.equal(await dialog.getByRole('radio').count(), 1, 'never the person themselves')
    await dialog.getByRole('radio', { name: 'Ada Lovelace' }).focus()
    await page.keyboard.press('Space')
    const lines = dialog.getByRole('status').getByRole('listitem')
    await lines.first().waitFor()
    assert.deepEqual(await lines.allTextContents(), [
      '1 conversation is then also on the page of Ada Lovelace.',
      'Ada Lovelace gets these attributes: city.',
      'Ada Lovelace keeps their own: plan.',
      'You can undo it for 30 days.',
    ])
    assert.deepEqual(await accessibilityFaults(page), [])
    await page.keyboard.press('Enter')
    await page.waitForURL(/users\/api(:|%3A)ada$/)
    await page.getByRole('heading', { name: 'Ada Lovelace' }).waitFor()
    assert.equal(await identities(), 2)
    await page.getByText('2 conversations, 2 questions').waitFor()
    nothingWrong()
  })

  it('says so on both pages, and undoes it', async () => {
    const ids = page.getByRole('list', { name: 'Ids of this person' })
    await ids.getByText(/merged into ada · can be undone until/).waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
    await page.goto(own.at('users/api:ada-at-home'))
    await page.getByText('ada-at-home was merged into Ada Lovelace. This is the page of both.').waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    assert.equal(await isTooWide(page), false, 'on a phone')
    await button('Undo the merge of ada-at-home').click()
    await becomes(identities, 1)
    await page.getByRole('heading', { name: 'ada-at-home' }).waitFor()
    await ids.waitFor({ state: 'hidden' })
    nothingWrong()
  })

  it('says who stays blocked when it undoes a merge', async () => {
    for (const [whole, told] of [
      [true, 'The merge is undone. Both are still blocked: the block was set while they were one person.'],
      [false, 'The merge is undone. bob is still blocked.'],
    ] as const) {
      const block = (user: string) => app.agent.put(`/users/${user}/blocked`, { blocked: true })
      if (!whole) {
        await app.agent.put('/users/ada/blocked', { blocked: false })
        await block('bob')
      }
      await app.agent.post('/users/bob/merge', { into: 'ada' })
      if (whole) await block('ada')
      await page.goto(own.at('users/api:ada'))
      await button('Undo the merge of bob').click()
      await page.getByText(told).waitFor()
    }
    nothingWrong()
  })

  it('names the channel of each id and of each conversation, which it leads to', async () => {
    const peer = await startPlatformPeer()
    try {
      const channel = await addChannel(app.agent, 'telegram', peer)
      await channel.says('Hello')
      await peer.untilSent(1)
      await app.agent.post(`/users/channel-${channel.id}:${PERSON.telegram}/merge`, { into: 'ada-at-home' })
      // An id of the site's own may look like that of a chat.
      const external_id = `order:${channel.id}:7`
      await app.agent.prompt('And my order?', { user: 'ada-at-home', external_id })
      await page.goto(own.at('users/api:ada-at-home'))
      await page.getByText(`${external_id} · `).waitFor()
      await page
        .getByRole('list', { name: 'Ids of this person' })
        .getByText(/on Test telegram · /)
        .waitFor()
      const { conversations } = (await app.agent.get('/users/ada-at-home')).body.data
      const [, { id }] = conversations
      const row = page.getByRole('list', { name: 'Conversations' }).getByRole('listitem').nth(1)
      await row.getByText(`on Test telegram · ${id}`).waitFor()
      await takeLooks(page, 'merged-user')
      await row.getByRole('link').click()
      await page.waitForURL(new RegExp(id))
    } finally {
      await peer.close()
    }
    nothingWrong()
  })
})
