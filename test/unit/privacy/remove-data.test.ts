import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { sql } from 'kysely'
import { finishMigrations } from '../../../src/app/finish-migrations.ts'
import { startRedactionWork } from '../../../src/redaction/redaction-work.ts'
import { indexPending } from '../../../src/search/index/index-pending.ts'
import { searchedTexts } from '../../../src/search/searched-texts.ts'
import { openBackfills } from '../../../src/storage/backfills.ts'
import type { TestAgent } from '../../support/app.ts'
import { addDataset } from '../../support/datasets.ts'
import { onBothEngines } from '../../support/on-both-engines.ts'

const NEVER = new AbortController().signal
const NAME = '0056-encoded-data'
const DATA = 'iVBORw0KGgo'.repeat(9)
const URL_OF_DATA = `data:image/png;base64,${DATA}`
const SEEN = `See ${URL_OF_DATA}`
const SAID = 'What is this?'
const PARTS = JSON.stringify([
  { type: 'text', text: SAID },
  { type: 'image_url', image_url: { url: URL_OF_DATA } },
])
const REPLACED = JSON.stringify([
  { type: 'text', text: SAID },
  { type: 'text', text: '[IMAGE]' },
])

onBothEngines('pictures in what earlier versions anonymized', (service) => {
  const redactionWork = startRedactionWork()
  after(() => redactionWork.close())

  const databaseOf = () => service.app.app.foundation.database

  /** Anonymizes a completion, then puts into its texts what an earlier version left there. */
  async function anonymizedBefore(agent: TestAgent): Promise<string> {
    const { db } = databaseOf()
    const { id, conversation_id: conversationId } = await agent.prompt(SAID)
    const dataset = await addDataset(agent)
    for (const { status, text } of [
      await agent.post(`/chat/completions/${id}/feedback`, { feedback: 'thanks', score: 1 }),
      await agent.post(`/conversations/${conversationId}/notes`, { text: 'see' }),
      await agent.post(`/conversations/${conversationId}/rating`, { score: 5, comment: 'fine' }),
      await agent.post(`/datasets/${dataset.id}/cases`, { completion_id: id }),
      await agent.post(`/chat/completions/${id}/anonymize`),
    ])
      assert.ok(status < 300, text)
    const ofCompletion = sql`completion_id = ${id}`
    await sql`update messages set content = ${PARTS} where ${ofCompletion} and role = 'user'`.execute(db)
    await sql`update case_texts set content = ${PARTS} where ${ofCompletion} and part = 'user'`.execute(db)
    await sql`update completions set feedback = ${SEEN} where id = ${id}`.execute(db)
    await sql`update conversation_notes set text = ${SEEN} where ${ofCompletion}`.execute(db)
    await sql`update ratings set comment = ${SEEN} where ${ofCompletion}`.execute(db)
    return id
  }

  async function leave(): Promise<void> {
    const { db } = databaseOf()
    await db.insertInto('backfills').values({ name: NAME, at: 'messages' }).execute()
  }

  const finish = (signal?: AbortSignal, run = redactionWork.run) =>
    finishMigrations({ ...databaseOf(), redactionWork: { run }, signal })

  /** The texts of a completion, each after its place. */
  async function textsOf(id: string): Promise<string[]> {
    const { rows } = await sql<{ place: string; text: string | null }>`
      select 'case' as place, content as text, id from case_texts where completion_id = ${id}
      union all select 'comment', comment, id from ratings where completion_id = ${id}
      union all select 'feedback', feedback, 0 from completions where id = ${id}
      union all select 'note', text, id from conversation_notes where completion_id = ${id}
      union all select role, content, id from messages where completion_id = ${id}`.execute(databaseOf().db)
    return rows.map(({ place, text }) => `${place} ${text}`).sort()
  }

  it('are replaced in every table, and nothing finds what was in them', async () => {
    const agent = await service.addAgent()
    const id = await anonymizedBefore(agent)
    const { db, engine } = databaseOf()
    // The index holds the old text's words; the text that replaces it has none of them.
    const found = async () => (await agent.get('/search?q=base64')).body.total
    await sql`update messages set content = ${JSON.stringify(SEEN)} where completion_id = ${id} and role = 'assistant'`.execute(
      db,
    )
    await indexPending({ db, engine, logger: console, texts: searchedTexts }, agent.agentId, NEVER, 1)
    assert.equal(await found(), 1)
    await leave()
    await finish()
    assert.deepEqual(await openBackfills(db), [])
    assert.deepEqual(await textsOf(id), [
      'assistant "See [IMAGE]"',
      `case ${REPLACED}`,
      'comment See [IMAGE]',
      'feedback See [IMAGE]',
      'note See [IMAGE]',
      `user ${REPLACED}`,
    ])
    assert.equal(await found(), 0)
    const { messages } = (await agent.get(`/chat/completions/${id}`)).body.data
    const marks = messages.map(({ redacted }: { redacted: string }) => redacted)
    assert.deepEqual(marks, ['anonymize', 'anonymize'])
  })

  it('stay in what is not anonymized', async () => {
    const agent = await service.addAgent()
    const { id } = await agent.prompt(SAID)
    await sql`update messages set content = ${PARTS} where completion_id = ${id} and role = 'user'`.execute(
      databaseOf().db,
    )
    await leave()
    await finish()
    assert.ok((await textsOf(id)).includes(`user ${PARTS}`))
  })

  it('are replaced by the process that goes on after a stop', async () => {
    const agent = await service.addAgent()
    const ids = [await anonymizedBefore(agent), await anonymizedBefore(agent)]
    const stopping = new AbortController()
    await leave()
    // The work stops at the first row that it reads.
    await finish(stopping.signal, async (...args) => {
      stopping.abort()
      return redactionWork.run(...args)
    })
    assert.deepEqual(await openBackfills(databaseOf().db), [NAME])
    await finish()
    for (const id of ids) assert.ok(!(await textsOf(id)).join().includes(DATA), id)
  })

  it('are not written where somebody scrubs meanwhile', async () => {
    const agent = await service.addAgent()
    const id = await anonymizedBefore(agent)
    let isScrubbed = false
    await leave()
    await finish(undefined, async (...args) => {
      const replaced = await redactionWork.run(...args)
      if (!isScrubbed) {
        isScrubbed = true
        assert.equal((await agent.post(`/chat/completions/${id}/scrub`)).status, 200)
      }
      return replaced
    })
    for (const text of await textsOf(id)) assert.match(text, /"?\[REDACTED\]"?$/)
  })
})
