import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from 'kysely'
import { columns } from '../../src/transcripts/redaction/text-columns.ts'
import type { TestAgent } from '../support/app.ts'
import { documentOf } from '../support/conforms.ts'
import { signInNew } from '../support/console.ts'
import { addDataset, runOf } from '../support/datasets.ts'
import { onBothEngines } from '../support/on-both-engines.ts'
import { until } from '../support/on-channels.ts'

const WORD = 'Zyxwvut'
/** The beginning of a JPEG, in which nobody finds a text. */
const PICTURE = `/9j/${'4AAQSkZJRgABAQEASABIAAD'.repeat(10)}`

const addressOf = (path: string, conversationId: string) =>
  `${path.replace('{id}', conversationId)}?q=${WORD}`

function takesWords(operation: object): boolean {
  const { parameters = [] } = operation as { parameters?: { in: string; name: string }[] }
  return parameters.some((parameter) => parameter.in === 'query' && parameter.name === 'q')
}

onBothEngines('what redaction keeps', (service) => {
  /** Says the word wherever somebody may say something, and waits until nothing is under way. */
  async function sayEverywhere(agent: TestAgent): Promise<void> {
    const said = `I am ${WORD}`
    const call = {
      id: `call_${WORD}`,
      type: 'function',
      function: { name: WORD, arguments: `{"who":"${WORD}"}` },
    }
    service.model.next({ text: `Hello ${WORD}` })
    const { id, conversation_id } = await agent.prompt('', {
      messages: [
        { role: 'system', content: said },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'tool', tool_call_id: call.id, content: said },
        {
          role: 'user',
          name: WORD,
          content: [
            { type: 'text', text: said },
            { type: 'image_url', image_url: { url: `data:image/jpeg;base64,${PICTURE}` } },
          ],
        },
      ],
      user: 'customer-1',
      page_url: `https://example.com/?who=${WORD}`,
    })
    const completion = `/chat/completions/${id}`
    const conversation = `/conversations/${conversation_id}`
    const { call: asPerson } = await signInNew(service.app, { teamId: agent.teamId, right: 'manage' })
    const person = (method: string, path: string, body?: unknown) =>
      asPerson(method, `/agents/${agent.agentId}${path}`, body)
    const answers = [
      await agent.post(`${completion}/feedback`, { feedback: said, score: 1 }),
      await agent.post(`${completion}/flag`, { flagged: true, reason: said }),
      await agent.post(`${completion}/clicks`, { kind: 'footer', target: `https://example.com/${WORD}` }),
      await agent.post(`${conversation}/notes`, { text: said }),
      await agent.post(`${conversation}/rating`, { score: 2, comment: said }),
      await agent.patch('/users/customer-1', { name: WORD, attributes: { city: WORD } }),
      await person('PUT', `${conversation}/draft`, { mode: 'reply', content: said }),
      await agent.post(`${conversation}/messages`, { content: said }),
      ...(await Promise.all((await searches()).map((path) => agent.get(addressOf(path, conversation_id))))),
    ]
    for (const { status, text } of answers) assert.ok(status < 300, text)
    const dataset = await addDataset(agent)
    const expectations = [{ kind: 'contains', value: WORD }]
    const made = await agent.post(`/datasets/${dataset.id}/cases`, { completion_id: id, expectations })
    assert.equal(made.status, 201, made.text)
    await runOf(agent, dataset.id)
    const action = { type: 'tag', tags: { seen: 'yes' } }
    for (const q of [WORD, `${WORD} of nobody`]) {
      const act = await agent.post('/inbox/bulk', { filter: { view: 'all', q }, action })
      assert.equal(act.status, 202, act.text)
      await until(async () => (await agent.get(`/inbox/bulk/${act.body.data.id}`)).body.data.state === 'done')
    }
  }

  /** The paths of all that searches for words. */
  async function searches(): Promise<string[]> {
    const { paths } = await documentOf(service.app.baseUrl)
    const found = Object.entries(paths)
      .filter(([, { get }]) => get && takesWords(get))
      .map(([path]) => path.replace('/api/v1', ''))
    for (const path of ['/search', '/inbox', '/users', '/knowledge/search', '/conversations/{id}/replies'])
      assert.ok(found.includes(path), `${path} is no search: ${found}`)
    return found
  }

  /** The columns whose declaration passes, and in which an agent's word or picture is. */
  async function columnsWithWord(isLookedAt: (declared: string) => boolean): Promise<string[]> {
    const { db } = service.app.app.foundation.database
    const found: string[] = []
    for (const table of await db.introspection.getTables()) {
      const declared: unknown = columns[table.name as keyof typeof columns]
      for (const { name } of table.columns) {
        const how = typeof declared === 'string' ? declared : (declared as Record<string, string>)?.[name]
        if (how === undefined || !isLookedAt(how)) continue
        const text = sql`lower(cast(${sql.ref(name)} as text))`
        const { rows } = await sql`select 1 from ${sql.table(table.name)}
          where ${text} like ${`%${WORD.toLowerCase()}%`} or ${text} like ${`%${PICTURE.slice(0, 40).toLowerCase()}%`}
          limit 1`.execute(db)
        if (rows.length > 0) found.push(`${table.name}.${name}`)
      }
    }
    return found
  }

  const KEPT = new Set(['kept', 'id', 'code', 'time', 'hash', 'own', 'facts', 'tags'])

  it('no column that is kept holds what somebody said, and after a scrub no column does', async () => {
    const agent = await service.addAgent()
    await sayEverywhere(agent)
    const written = await columnsWithWord(() => true)
    for (const column of ['messages.content', 'conversation_notes.text', 'users.name', 'case_texts.content'])
      assert.ok(written.includes(column), `nothing was said in ${column}: ${written}`)
    assert.deepEqual(await columnsWithWord((declared) => KEPT.has(declared)), [])
    let remaining = 1
    while (remaining > 0) ({ remaining } = (await agent.post('/users/customer-1/scrub')).body.data)
    assert.deepEqual(await columnsWithWord(() => true), [])
  })
})
