import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, describe, it } from 'node:test'
import { becomes } from '../support/becomes.ts'
import { accessibilityFaults, openPage } from '../support/chromium.ts'
import { startEmbeddingServer } from '../support/embedding-server.ts'
import { startIdentityProvider } from '../support/identity-provider.ts'
import { assertClean } from '../support/looks.ts'
import { startModelServer } from '../support/model-server.ts'
import { openSignedIn } from '../support/signed-in.ts'
import { startConsole } from '../support/start-console.ts'

describe('pages of the settings', async () => {
  const model = await startModelServer()
  after(() => model.close())
  const provider = await startIdentityProvider('http://127.0.0.1:1/console/api/oidc/callback')
  after(() => provider.close())
  const { app, browser, own, page, button, field, nothingWrong } = await startConsole({ env: provider.env })

  const texts = () => page.getByRole('region', { name: 'Texts' })
  const modelServer = () => page.getByRole('region', { name: 'Model server' })

  it('the sign-in page offers the organization, and says why it refused', async () => {
    const stranger = await openPage(browser, app.url)
    await stranger.page.goto(`${app.url}/console/sign-in?error=not_invited`)
    await stranger.page.getByText('Nobody has invited this e-mail address.').waitFor()
    const link = stranger.page.getByRole('link', { name: 'Sign in with your organization' })
    await becomes(() => link.getAttribute('href'), '/console/api/oidc/start')
    await assertClean(stranger)
    await stranger.close()
  })

  it('tests a model before it is saved, and shows what its server said', async () => {
    await page.goto(own.at('settings/model'))
    await button('Test the model').click()
    await page.getByText('No model is set: the built-in answerer answers.').waitFor()
    await modelServer().getByLabel('Address', { exact: true }).fill(model.url)
    await modelServer().getByLabel('Model', { exact: true }).fill('test-model')
    model.next({ status: 401 })
    await button('Test the model').click()
    await page.getByText('It does not answer').waitFor()
    await page.getByText(/test-model · 401/).waitFor()
    await button('Test the model').click()
    await page.getByText('It answers', { exact: true }).waitFor()
    await modelServer().getByLabel('Interface').selectOption('Google Gemini')
    await button('Test the model').click()
    await page.getByText('The server speaks another protocol. Choose OpenAI or compatible.').waitFor()
    await modelServer().getByLabel('Address', { exact: true }).fill('no address')
    await button('Test the model').click()
    await page.locator('[data-path="model.url"][aria-invalid="true"]').waitFor()
    await button('Discard changes').click()
    nothingWrong()
  })

  it('lists servers that are asked when the model fails, and keeps their keys with them', async () => {
    await page.goto(own.at('settings/model'))
    const spare = (number: number) => page.getByRole('group', { name: `Server ${number}` })
    for (const number of [1, 2]) {
      await button('Add a server').click()
      await spare(number)
        .getByLabel('Interface')
        .selectOption(number === 1 ? 'Anthropic' : 'Azure OpenAI')
      await spare(number).getByLabel('Address', { exact: true }).fill(`https://1.1.1.${number}/v1`)
      await spare(number).getByLabel('API key', { exact: true }).fill(`sk-of-the-server-${number}`)
    }
    await button('Save').click()
    await spare(2).getByText(/er-2/).waitFor()
    await spare(2).getByRole('button', { name: 'Move up' }).click()
    await button('Save').click()
    const fallbacks = async () =>
      (await app.agent.get('/agent')).body.data.model.fallbacks.map(
        ({ kind, url, api_key }: { kind: string; url: string; api_key: { last_four: string } }) => [
          kind,
          url,
          api_key.last_four,
        ],
      )
    await becomes(fallbacks, [
      ['azure', 'https://1.1.1.2/v1', 'er-2'],
      ['anthropic', 'https://1.1.1.1/v1', 'er-1'],
    ])
    await assertClean(own)
    for (const _ of [1, 2]) await spare(1).getByRole('button', { name: 'Remove', exact: true }).click()
    await button('Save').click()
    await becomes(fallbacks, [])
    nothingWrong()
  })

  it('shows what a model server would be sent, before the types to mask are saved', async () => {
    await page.goto(own.at('settings/model'))
    await page.getByPlaceholder('PERSON').fill('PERSON')
    await page.keyboard.press('Enter')
    await page.getByLabel('What would leave').fill('My name is Jane Doe, write to jane@example.com')
    await button('Show what would leave').click()
    await page
      .getByLabel('What the model server would be sent')
      .getByText(/^My name is \[PERSON_\d+\], write to jane@example\.com$/)
      .waitFor()
    assert.equal((await app.agent.get('/agent')).body.data.mask, null)
    await assertClean(own)
    await button('Discard changes').click()
    nothingWrong()
  })

  it('takes synonyms, a group a line', async () => {
    await page.goto(own.at('settings/agent'))
    await page.getByRole('textbox', { name: 'Synonyms' }).fill('parcel, package\n\n money back ,refund,')
    await button('Save').click()
    const stored = async () => (await app.agent.get('/agent')).body.data.synonyms
    await becomes(stored, [
      ['parcel', 'package'],
      ['money back', 'refund'],
    ])
    await becomes(
      () => page.getByRole('textbox', { name: 'Synonyms' }).inputValue(),
      'parcel, package\nmoney back, refund',
    )
    await page.getByRole('textbox', { name: 'Synonyms' }).fill('parcel')
    await button('Save').click()
    await page.locator('[data-path="synonyms"][aria-invalid="true"]').waitFor()
    await button('Discard changes').click()
    nothingWrong()
  })

  it('follows what somebody else changes, keeps what is typed, and sends that alone', async () => {
    await page.goto(own.at('settings/agent'))
    await field('Instructions').fill('Be brief.')
    assert.equal((await app.agent.patch('/agent', { name: 'Theirs', history_limit: 7 })).status, 200)
    await becomes(() => field('Name').inputValue(), 'Theirs')
    assert.equal(await field('Instructions').inputValue(), 'Be brief.')
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    await button('Save').click()
    assert.deepEqual(Object.keys((await sent).postDataJSON()).toSorted(), ['instructions', 'version'])
    await becomes(async () => {
      const { name, instructions, history_limit } = (await app.agent.get('/agent')).body.data
      return [name, instructions, history_limit]
    }, ['Theirs', 'Be brief.', 7])
    await app.agent.patch('/agent', { name: 'Demo' })
    nothingWrong()
  })

  it('keeps what is typed while it is saved, to be saved next', async () => {
    await page.goto(own.at('settings/agent'))
    const asked = Promise.withResolvers<void>()
    const typed = Promise.withResolvers<void>()
    await page.route('**/agent', async (route) => {
      if (route.request().method() === 'PATCH') {
        asked.resolve()
        await typed.promise
      }
      await route.continue()
    })
    await field('Name').fill('Shop')
    await button('Save').click()
    await asked.promise
    await field('Instructions').fill('Be kind.')
    typed.resolve()
    await page.getByText('Saved', { exact: true }).waitFor()
    assert.equal(await field('Instructions').inputValue(), 'Be kind.')
    await page.unroute('**/agent')
    await button('Save').click()
    await button('Discard changes').waitFor({ state: 'hidden' })
    const { name, instructions } = (await app.agent.get('/agent')).body.data
    assert.deepEqual([name, instructions], ['Shop', 'Be kind.'])
    nothingWrong()
  })

  it('has rules of answering, refuses a variable that does not exist, and leads back to the default', async () => {
    await page.goto(own.at('settings/agent'))
    const rules = page.getByRole('textbox', { name: 'Rules of answering' })
    const usual = await rules.inputValue()
    const reset = button('Use the default rules')
    assert.equal(await reset.count(), 0)
    await rules.fill('Be brief, {{name}}.')
    await button('Save').click()
    await page.getByText('Holds {{name}}, which is no variable').waitFor()
    await rules.fill('Be brief, {{user.name}}.')
    await button('Save').click()
    const stored = async () => (await app.agent.get('/agent')).body.data.answer_rules
    await becomes(stored, 'Be brief, {{user.name}}.')
    await reset.click()
    await button('Save').click()
    await becomes(stored, usual)
    nothingWrong()
  })

  it('has messages for the languages of conversations', async () => {
    await page.goto(own.at('settings/messages'))
    const ofLanguages = page.getByRole('region', { name: 'In other languages' })
    for (const language of ['de', 'pt-br']) {
      await page.getByRole('combobox', { name: 'New language' }).fill(language)
      await button('Add the language').click()
      await ofLanguages.getByLabel('Found nothing', { exact: true }).fill(`Nothing, in ${language}.`)
    }
    await button('Save').click()
    const stored = async () => (await app.agent.get('/agent')).body.data.texts
    await becomes(stored, {
      de: { unknown: 'Nothing, in de.' },
      'pt-BR': { unknown: 'Nothing, in pt-br.' },
    })
    await assertClean(own)
    await button('Remove').click()
    await button('Save').click()
    await becomes(stored, { de: { unknown: 'Nothing, in de.' } })
    await becomes(() => ofLanguages.getByLabel('Language', { exact: true }).inputValue(), 'de')
    nothingWrong()
  })

  it('sets the hours in which people are there', async () => {
    await page.goto(own.at('settings/hours'))
    const set = page.getByRole('switch', { name: 'People are there at certain hours' })
    await set.check({ force: true })
    const first = page.getByRole('group', { name: 'Shift 1' })
    await first.getByLabel('Fri').uncheck({ force: true })
    await first.getByLabel('From').fill('08:30')
    await page.getByRole('combobox', { name: 'Time zone' }).fill('Europe/Berlin')
    await button('Add a shift').click()
    const second = page.getByRole('group', { name: 'Shift 2' })
    await second.getByRole('button', { name: 'Remove' }).click()
    await button('Add a holiday').click()
    const holiday = page.getByRole('group', { name: 'Holiday 1' })
    await holiday.getByLabel('Day').fill('2026-12-25')
    await holiday.getByLabel('Name').fill('Christmas')
    await button('Save').click()
    const stored = async () => (await app.agent.get('/agent')).body.data.hours
    await becomes(stored, {
      time_zone: 'Europe/Berlin',
      week: [{ days: [1, 2, 3, 4], from: '08:30', to: '17:00' }],
      holidays: [{ date: '2026-12-25', name: 'Christmas' }],
    })
    await assertClean(own)
    await set.uncheck({ force: true })
    await button('Save').click()
    await becomes(stored, null)
    nothingWrong()
  })

  it('says that a shift has no day, and that two holidays have one date', async () => {
    await page.goto(own.at('settings/hours'))
    await page.getByRole('switch', { name: 'People are there at certain hours' }).check({ force: true })
    const shift = page.getByRole('group', { name: 'Shift 1' })
    for (const day of ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'])
      await shift.getByLabel(day).uncheck({ force: true })
    await button('Save').click()
    await shift.getByText('Must have at least 1 item').waitFor()
    await shift.getByLabel('Mon').check({ force: true })
    for (const number of [1, 2]) {
      await button('Add a holiday').click()
      await page
        .getByRole('group', { name: `Holiday ${number}` })
        .getByLabel('Day')
        .fill('2026-12-25')
      await page
        .getByRole('group', { name: `Holiday ${number}` })
        .getByLabel('Name')
        .fill('Christmas')
    }
    await button('Save').click()
    await page.getByRole('alert').getByText('Must not name a date twice').waitFor()
    await button('Discard changes').click()
    nothingWrong()
  })

  it('sets what models cost and how much they may, and takes both back', async () => {
    await page.goto(own.at('settings/model'))
    await button('Add a price').click()
    const price = page.getByRole('group', { name: 'Price 1' })
    await price.getByLabel('Model', { exact: true }).fill('test-model')
    await button('Save').click()
    await price.getByText('Enter a number').first().waitFor()
    await price.getByLabel('Read', { exact: true }).and(page.locator(':focus')).waitFor()
    assert.deepEqual((await app.agent.get('/agent')).body.data.prices, {})
    await price.getByLabel('Read', { exact: true }).fill('0.25')
    await price.getByLabel('Written', { exact: true }).fill('2')
    await field('Budget of a day').fill('5')
    await button('Save').click()
    const cost = async () => {
      const { prices, budget } = (await app.agent.get('/agent')).body.data
      return { prices, budget }
    }
    await becomes(cost, { prices: { 'test-model': { input: 0.25, output: 2 } }, budget: { day: 5 } })
    await assertClean(own)
    await price.getByRole('button', { name: 'Remove', exact: true }).click()
    await field('Budget of a day').fill('')
    await button('Save').click()
    await becomes(cost, { prices: {}, budget: null })
    nothingWrong()
  })

  it('sets what finds passages by their meaning; the key is never shown again', async () => {
    await using server = await startEmbeddingServer()
    await page.goto(own.at('settings/model'))
    const meaning = page.getByRole('region', { name: 'Search by meaning' })
    const fieldOf = (name: string) => meaning.getByLabel(name, { exact: true })
    await fieldOf('Address').fill('ftp://embeddings.example.com')
    await button('Save').click()
    await page.locator('[data-path="embedding.url"][aria-invalid="true"]').waitFor()
    await fieldOf('Address').fill(server.url)
    await fieldOf('Model').fill('one')
    await fieldOf('API key').fill('embedding-key-1234')
    await button('Save').click()
    await page.getByText('Saved', { exact: true }).waitFor()
    await meaning.getByText('1234').waitFor()
    await becomes(() => fieldOf('API key').inputValue(), '')
    const { body } = await app.agent.get('/agent')
    assert.deepEqual(body.data.embedding, {
      url: server.url,
      name: 'one',
      api_key: { set: true, last_four: '1234' },
    })
    const audit = await app.agent.get('/audit?per_page=1')
    assert.deepEqual(audit.body.data[0]?.details, {
      changed: ['embedding.url', 'embedding.api_key', 'embedding.name'],
    })
    await assertClean(own)
    await page.reload()
    await becomes(() => fieldOf('Model').inputValue(), 'one')
    await meaning.getByRole('button', { name: 'Remove the secret' }).click()
    await fieldOf('Address').fill('')
    await fieldOf('Model').fill('')
    await button('Save').click()
    await becomes(async () => (await app.agent.get('/agent')).body.data.embedding, {
      url: null,
      name: null,
      api_key: { set: false, last_four: null },
    })
    nothingWrong()
  })

  it('anonymizes a text as it would be in a transcript', async () => {
    await page.goto(own.at('settings/redaction'))
    await page.getByLabel('A text').fill('Write to grace@example.com.')
    await button('Anonymize the text').click()
    await page.getByLabel('The anonymized text').getByText('Write to [EMAIL_ADDRESS].').waitFor()
    await page.getByText('EMAIL_ADDRESS 1').waitFor()
    await assertClean(own)
  })

  it('downloads the conversations of some days', async () => {
    await app.agent.prompt('Where is my parcel?', { user: 'Grace' })
    await page.goto(own.at('settings/export'))
    await page.getByLabel('Format').selectOption('csv')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download' }).click(),
    ])
    assert.equal(download.suggestedFilename(), 'conversations.csv')
    assert.match(await readFile(await download.path(), 'utf8'), /Where is my parcel\?/)
    await page.getByLabel('To', { exact: true }).fill('2001-01-01')
    await page.locator('a[href*="to=200"]', { hasText: 'Download' }).waitFor()
    await assertClean(own)
  })

  it('shows an operator without the right neither the export nor the tests', async () => {
    const reader = await openSignedIn(browser, app, { right: 'read' })
    await reader.page.goto(reader.at('settings/model'))
    await reader.page.getByLabel('Address', { exact: true }).first().waitFor()
    assert.equal(await reader.page.getByRole('button', { name: 'Test the model' }).count(), 0)
    assert.equal(await reader.page.getByRole('link', { name: 'Export' }).count(), 0)
    assert.deepEqual(reader.faults, [])
    await reader.close()
  })

  it('shows background work of every state, on a phone without a swipe, and has it tried again', async () => {
    const agent = await app.addAgent({ teamId: app.agent.teamId })
    await using embedding = await startEmbeddingServer()
    embedding.failure = { status: 500 }
    await agent.patch('/agent', { embedding: { url: embedding.url, name: 'm' } })
    await agent.post('/knowledge', { title: 'T', content: 'A text.' })
    const phone = await openSignedIn(browser, app, { viewport: { width: 390, height: 800 } })
    await phone.page.goto(`${app.url}/console/agents/${agent.agentId}/settings/work`)
    const vectors = phone.page.getByRole('listitem').filter({ hasText: 'Vectors' })
    await vectors.getByText('Retrying 1').waitFor()
    // Given up behind the back of who tries it just now, which takes five failures otherwise.
    await app.app.foundation.database.db
      .updateTable('knowledge_embeddings')
      .set((row) => ({
        parked_at: new Date().toISOString(),
        due_at: '9999-12-31T23:59:59.999Z',
        leased_until: null,
        lease: row('lease', '+', 1),
      }))
      .execute()
    const mark = vectors.getByText('Parked 1')
    await mark.waitFor()
    const { x = 0, width = 390 } = (await mark.boundingBox()) ?? {}
    assert.ok(x + width < 390, 'it stands beside the page')
    await phone.page.getByText('Nothing to do').first().waitFor()
    await assertClean(phone)
    embedding.failure = null
    await vectors.getByRole('button', { name: 'Try again: Vectors' }).click()
    await phone.page.getByText('1 piece is tried again.').waitFor()
    await vectors.getByText('Nothing to do').waitFor()
    await vectors.getByRole('link', { name: 'Vectors' }).click()
    await phone.page.waitForURL('**/knowledge')
    await phone.close()
  })

  it('marks what the service refuses, keeps it, and asks before it is lost', async () => {
    await page.goto(own.at('settings/model'))
    const address = modelServer().getByLabel('Address', { exact: true })
    await address.fill('ftp://models.example.com')
    await button('Save').click()
    await page.locator('[data-path="model.url"][aria-invalid="true"]').waitFor()
    await becomes(() => address.inputValue(), 'ftp://models.example.com')
    await page.getByRole('link', { name: 'Messages' }).click()
    await page.getByRole('dialog', { name: 'Leave without saving?' }).waitFor()
    assert.deepEqual(await accessibilityFaults(page), [])
    await button('Cancel').click()
    await button('Discard changes').click()
    await becomes(() => address.inputValue(), '')
    await page.getByRole('link', { name: 'Messages' }).click()
    await texts().getByLabel('Greeting', { exact: true }).fill('Good day.')
    await button('Save').click()
    await page.getByText('Saved').waitFor()
    await page.reload()
    await becomes(() => texts().getByLabel('Greeting', { exact: true }).inputValue(), 'Good day.')
    nothingWrong()
  })
})
