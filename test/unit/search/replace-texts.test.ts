import assert from 'node:assert/strict'
import { it } from 'node:test'
import { indexPending } from '../../../src/search/index/index-pending.ts'
import { prepareReplaced, replacedText, replaceTexts } from '../../../src/search/index/replace-texts.ts'
import { MESSAGES } from '../../../src/search/index/searched-texts.ts'
import { searchedTexts } from '../../../src/search/searched-texts.ts'
import { onBothEngines } from '../../support/on-both-engines.ts'

onBothEngines('texts that are replaced', (service) => {
  it('are read before the transaction if they are indexed, and not at all while they wait', async () => {
    const agent = await service.addAgent()
    const { db, engine } = service.app.app.foundation.database
    const say = async (said: string) => {
      service.model.next({ text: 'Thank you.' })
      const { id } = await agent.prompt(said)
      const { id: messageId } = await db
        .selectFrom('messages')
        .select('id')
        .where('completion_id', '=', id)
        .where('role', '=', 'user')
        .executeTakeFirstOrThrow()
      return messageId
    }
    const indexed = await say('The zeppelin is here')
    await indexPending(
      { db, engine, logger: console, texts: searchedTexts },
      agent.agentId,
      new AbortController().signal,
      1,
    )
    const waiting = await say('Another zeppelin is there')
    const read: number[] = []
    const replaced = [indexed, waiting].map((id) =>
      replacedText(
        id,
        () => {
          read.push(id)
          return 'The zeppelin is here'
        },
        () => 'The balloon is here',
      ),
    )
    await prepareReplaced(db, agent.agentId, MESSAGES, replaced)
    assert.deepEqual(read, [indexed])
    await db.transaction().execute((db) => replaceTexts(db, engine, agent.agentId, MESSAGES, replaced))
    assert.deepEqual(read, [indexed])
    const found = async (word: string) => (await agent.get(`/search?q=${word}`)).body.total
    // Texts that wait for the index are read from their rows.
    assert.deepEqual([await found('balloon'), await found('zeppelin')], [1, 1])
  })
})
