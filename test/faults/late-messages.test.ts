import assert from 'node:assert/strict'
import { it } from 'node:test'
import { startApp } from '../support/app.ts'

it('who reads on after a message misses none that is committed late with a smaller id, on postgres', async () => {
  await using service = await startApp('postgres')
  const { agent } = service
  const { db } = service.app.foundation.database
  const { conversation_id } = await agent.prompt('Hello')
  const path = `/conversations/${conversation_id}/messages`
  const idsOf = async (query: string): Promise<number[]> =>
    (await agent.get(`${path}${query}`)).body.data.map(({ id }: { id: number }) => id)
  const last = (await idsOf('?after=0')).at(-1)

  const stored = Promise.withResolvers<number>()
  const commit = Promise.withResolvers<void>()
  const late = db.transaction().execute(async (db) => {
    const said = {
      agent_id: agent.agentId,
      conversation_id,
      role: 'transition' as const,
      content: '"late"',
      created_at: new Date().toISOString(),
    }
    const { id } = await db.insertInto('messages').values(said).returning('id').executeTakeFirstOrThrow()
    stored.resolve(id)
    await commit.promise
  })
  const lateId = await Promise.race([stored.promise, late.then(() => 0)])
  const answer = await agent.post(path, { content: 'early' })
  const earlyId = answer.body.data.id
  assert.ok(lateId > 0 && lateId < earlyId)

  assert.deepEqual((await idsOf('')).at(-1), earlyId, 'the whole list has what is committed')
  assert.deepEqual(await idsOf(`?after=${last}`), [], 'nothing is certain yet')
  assert.deepEqual(
    await idsOf('?after=0'),
    (await idsOf('')).slice(0, -1),
    'what was certain before stays so',
  )
  commit.resolve()
  await late
  assert.deepEqual(await idsOf(`?after=${last}`), [lateId, earlyId])
})
