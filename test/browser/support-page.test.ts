import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { Changes } from '../../src/analytics/support/counts.ts'
import type { SupportRow } from '../../src/analytics/support/tables.ts'
import { DAY_MS, timestamp } from '../../src/lib/clock.ts'
import type { TestAgent } from '../support/app.ts'
import { becomes } from '../support/becomes.ts'
import { openConsole } from '../support/console.ts'
import { assertClean, takeLooks, takePicture } from '../support/looks.ts'
import { openSignedIn } from '../support/signed-in.ts'
import { startConsole } from '../support/start-console.ts'

describe('the figures of support in the console', async () => {
  const { app, browser, own } = await startConsole({ called: 'Ada' })
  /** The agent of the figures that no conversation stands behind. */
  const busy = await app.addAgent({ teamId: app.agent.teamId })
  const at = (agent: TestAgent, path: string) => `${app.url}/console/agents/${agent.agentId}/${path}`
  await work(app.agent)
  await countMany(busy, own.operatorId)

  /** One conversation that the agent solved, and one that a person solved. */
  async function work(agent: TestAgent): Promise<void> {
    const [alone, together] = [await agent.prompt('Hello?'), await agent.prompt('May I return it?')]
    const { conversation_id: id } = together
    for (const [method, path, body] of [
      ['PUT', `/conversations/${alone.conversation_id}/outcome`, { outcome: 'resolved' }],
      ['POST', `/conversations/${id}/wait`, { reason: 'asked' }],
      ['POST', `/conversations/${id}/messages`, { content: 'You may.' }],
      ['PUT', `/conversations/${id}/outcome`, { outcome: 'resolved' }],
    ] as const) {
      const { status, text } = await agent.call(method, path, body)
      assert.ok(status < 300, `${path}: ${status} ${text}`)
    }
    await becomes(async () => {
      const { totals } = (await agent.get('/analytics/support')).body.data
      return [totals.solved_by_agent, totals.solved_by_person]
    }, [1, 1])
  }

  /** Counts what many conversations of a year would. */
  async function countMany(agent: TestAgent, operator_id: number): Promise<void> {
    const changes = new Changes()
    for (let number = 0; number < 2400; number++) changes.add(madeRow(number, operator_id), 1)
    await app.app.foundation.database.db.transaction().execute((db) => changes.write(db, agent.agentId))
  }

  /** Counts a conversation for each number of days that have passed since. */
  async function count(agent: TestAgent, days: readonly number[]): Promise<void> {
    const changes = new Changes()
    for (const back of days) {
      const row = madeRow(0, own.operatorId)
      changes.add({ ...row, started_at: timestamp(Date.now() - back * DAY_MS) }, 1)
    }
    await app.app.foundation.database.db.transaction().execute((db) => changes.write(db, agent.agentId))
  }

  it('a figure leads to its conversations, the inbox says so, and Back comes back', async () => {
    const { page } = own
    await page.goto(at(app.agent, 'support'))
    await page.getByLabel('By', { exact: true }).selectOption('Language')
    await page.getByRole('rowheader', { name: 'English' }).waitFor()
    await assertClean(own)
    await page.getByRole('link', { name: 'English, Solved by people: 1, show the conversations' }).click()
    const chip = page.getByRole('button', { name: 'Remove the filter: Solved by people · English · ' })
    await chip.waitFor()
    const rows = page.getByRole('list', { name: 'Conversations' }).getByRole('listitem')
    await page.getByText('You may.').waitFor()
    assert.equal(await rows.count(), 1)
    await assertClean(own)
    await page.goBack()
    await page.getByRole('rowheader', { name: 'English' }).waitFor()
    assert.equal(await page.getByLabel('By', { exact: true }).inputValue(), 'language')
    await page
      .getByRole('link', { name: 'Solved by the agent: 1, show the conversations', exact: true })
      .press('Enter')
    await page.getByRole('button', { name: 'Remove the filter: Solved by the agent · ' }).press('Enter')
    await becomes(() => rows.count(), 2)
    assert.equal(new URL(page.url()).search, '?view=all')
    assert.deepEqual(own.faults.splice(0), [])
  })

  it('a year: the latest month of it, then all days; and a file of conversations', async () => {
    const { page } = own
    await page.goto(at(busy, `support?from=${day(364)}&to=${day(0)}`))
    const rows = page.getByRole('row')
    await becomes(() => rows.count(), 1 + 31)
    await page.getByRole('button', { name: 'Show all 365 days' }).click()
    await becomes(() => rows.count(), 1 + 365)
    await page.goto(at(busy, 'support?by=operator&plot=answer'))
    await page.getByRole('rowheader', { name: 'Ada' }).waitFor()
    await page.getByText('First response, in working hours', { exact: true }).waitFor()
    await page.getByRole('heading', { name: 'First response (median, in working hours)' }).waitFor()
    await page.getByText(/^90% within \S+ · \S+ by the clock$/).waitFor()
    await page.getByText('Time to solution', { exact: true }).waitFor()
    await page.getByRole('rowheader', { name: 'Former person 999' }).waitFor()
    await takeLooks(page, 'support-by-person')
    await page.goto(at(app.agent, 'support'))
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Save conversations as CSV' }).click(),
    ])
    assert.match(download.suggestedFilename(), /^support .*\.csv$/)
    const lines = (await readFile(await download.path(), 'utf8')).split('\r\n')
    assert.equal(lines.length, 1 + 2 + 1)
    await page.goto(at(busy, 'support'))
    await page.getByRole('figure').waitFor()
    await assertClean(own)
    await takeLooks(page, 'support')
    await takePicture(page, 'support')
  })

  it('few conversations before have no change in percent, and days stand in one order', async () => {
    const { page } = own
    const few = await app.addAgent({ teamId: app.agent.teamId })
    await count(few, [40, 40, 40, ...Array(45).fill(3), 1])
    await page.goto(at(few, 'support'))
    await page.getByText('from 3', { exact: true }).waitFor()
    assert.equal(await page.getByText(/%.* against/).count(), 0)
    await becomes(() => page.getByRole('rowheader').count(), 30)
    const days = await page.getByRole('rowheader').allTextContents()
    assert.deepEqual(
      days.map((text) => Date.parse(text)),
      days.map((text) => Date.parse(text)).toSorted((a, b) => a - b),
    )
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('row').last().getByRole('cell').last().scrollIntoViewIfNeeded()
    const shown = await page.getByRole('rowheader').last().boundingBox()
    assert.ok(shown && shown.x >= 0 && shown.x < 390, 'the day stays beside its figures')
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  it('no conversation yet, figures that cannot be read, days in the wrong order', async () => {
    const { page } = own
    const empty = await app.addAgent({ teamId: app.agent.teamId })
    await page.reload()
    await page.goto(at(empty, 'support'))
    await page.getByRole('heading', { name: 'Nothing in these days' }).waitFor()
    await assertClean(own)
    const error = { message: 'Not now.', type: 'error', param: null, code: 'internal_error' }
    await page.route('**/analytics/support?*', (route) => route.fulfill({ status: 500, json: { error } }))
    await page.getByLabel('By', { exact: true }).selectOption('Hour of the day')
    await page.getByRole('alert').waitFor()
    await page.unroute('**/analytics/support?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('alert').waitFor({ state: 'hidden' })
    await page.getByLabel('From').fill(day(-1))
    await page.getByText('After the last day.').waitFor()
    assert.equal(await page.getByLabel('From').getAttribute('aria-invalid'), 'true')
    await page.getByText('What was solved, by whom and how fast.', { exact: true }).waitFor()
    assert.equal(await page.getByRole('alert').count(), 0)
    await page.getByLabel('From').fill(day(0))
    await page.getByText('After the last day.').waitFor({ state: 'hidden' })
    assert.equal(new URL(page.url()).searchParams.get('from'), day(0))
    own.faults.splice(0)
  })

  it('a person who sees some conversations is told who may see the figures', async () => {
    const person = await openSignedIn(browser, app, { right: 'respond' })
    const owner = Object.assign(openConsole(app), { cookie: own.cookie })
    await owner.call('PATCH', `/operators/${person.operatorId}`, { scope: 'own' })
    await person.page.goto(person.at('support'))
    await person.page.getByRole('heading', { name: 'Only for people who see all conversations' }).waitFor()
    const [{ id }] = (await app.agent.get('/conversations')).body.data
    await person.page.goto(person.at(`inbox/${id}`))
    await person.page.getByRole('heading', { name: 'You cannot see this conversation' }).waitFor()
    assert.equal(await person.page.getByRole('alert').count(), 0)
    // The browser tells of the 404.
    person.faults.splice(0)
    await assertClean(person)
    await takeLooks(person.page, 'conversation-not-shown')
    await person.page.getByRole('link', { name: 'To the inbox' }).click()
    await person.page.waitForURL(/\/inbox(\?|$)/)
    await person.close()
  })
})

/** Returns the day that lies some days back, as YYYY-MM-DD. */
function day(back: number): string {
  return timestamp(Date.now() - back * DAY_MS).slice(0, 10)
}

/** Returns the facts of a made conversation: the higher its number, the longer ago. Every third one needs a person. */
function madeRow(number: number, operator_id: number): SupportRow {
  const back = (number * 365 * DAY_MS) / 2400 + ((number * 7) % 11) * 3_600_000
  const after = (minutes: number) => timestamp(Date.now() - back - DAY_MS / 4 + minutes * 60_000)
  const waits = number % 3 === 0
  const minutes = 2 + ((number * 13) % 40)
  const ms = minutes * 60_000
  const isKept = number % 8 !== 0
  const score = number % 4 === 0 ? ([5, 4, 5, 3, 5, 4, 1][number % 7] ?? null) : null
  return {
    ...{ conversation_id: '', agent_id: 0, channel_id: null, group_id: null, tags: '[]' },
    language: number % 5 === 0 ? 'de' : 'en',
    operator_id: waits ? (number % 2 === 0 ? operator_id : 999) : null,
    started_at: after(0),
    waited_at: waits ? after(1) : null,
    reason: waits ? (number % 2 === 0 ? 'asked' : 'unanswered') : null,
    answered_at: waits ? after(1 + minutes) : null,
    answer_ms: waits ? ms : null,
    // People are there half of the time.
    answer_open_ms: waits ? ms / 2 : null,
    ended_at: after(2 * minutes),
    outcome:
      number % 17 === 0 ? 'abandoned' : waits ? 'handed_off' : number % 4 === 0 ? 'resolved' : 'assumed',
    solved_by: number % 17 === 0 ? null : waits ? 'person' : 'agent',
    solution_ms: 2 * ms,
    solution_open_ms: 2 * ms,
    reopened_at: null,
    met_at: waits && isKept ? after(2 * minutes) : null,
    missed_at: waits && !isKept ? after(minutes) : null,
    asked_at: number % 2 === 0 ? after(2 * minutes) : null,
    rated_at: score === null ? null : after(3 * minutes),
    score,
  }
}
