import { describe, it } from 'node:test'
import { fillEveryday } from '../support/fill-console.ts'
import { takePicture } from '../support/looks.ts'
import { startConsole } from '../support/start-console.ts'

describe('pictures of the documentation', async () => {
  const { app, own, page, nothingWrong } = await startConsole({
    called: 'Ada Lovelace',
    email: 'ada@example.com',
  })

  it('pages with everyday things in them', async () => {
    const { conversation, webhook, channel } = await fillEveryday(app, `${app.url}/healthz`)
    for (const [name, path] of [
      ['start', 'start'],
      ['conversation', `inbox/${conversation}`],
      ['knowledge', 'knowledge'],
      ['channel', `channels/${channel}`],
      ['webhook', `webhooks/${webhook}`],
      ['people', 'settings/people'],
    ] as const) {
      await page.goto(own.at(path))
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      await takePicture(page, name)
    }
    nothingWrong()
  })
})
