import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { engines } from '../support/databases.ts'
import { addDataset, asks, endOfRun, startRun } from '../support/datasets.ts'
import { startModelServer } from '../support/model-server.ts'
import { databaseWithAgent, firstAgentOf, settingsOn, startService } from '../support/service-process.ts'

/** The question behind what the model is told of the documents. */
const questionIn = (content: unknown) => String(content).split('\n\n').at(-1)

for (const engine of engines)
  describe(`kill -9 in the middle of a test run, on ${engine}`, () => {
    it('another process goes on: each repeat of a case has one result, and none that had one is asked again', async () => {
      await using model = await startModelServer()
      const database = await databaseWithAgent(engine)
      const env = settingsOn(database, { PARLEY_MODEL_URL: model.url, PARLEY_MODEL: 'm' })
      let service = await startService(env)
      const agentOf = firstAgentOf(service)
      const questions = Array.from({ length: 3 }, (_, at) => `Question ${at}`)
      const { id } = await addDataset(
        agentOf(service),
        questions.map((question) => asks(question, [{ kind: 'contains', value: question }])),
      )
      // Two are answered, the others are under way when the process dies.
      model.next({}, {})
      model.answer = { hang: true }
      const run = await startRun(agentOf(service), id, { repeats: 2 })
      await model.request(5)
      const asked = () => model.requests.map(({ body }) => questionIn(body.messages.at(-1)?.content))
      const { signal } = await service.end('SIGKILL')
      assert.equal(signal, 'SIGKILL')
      const before = asked()
      assert.deepEqual(before.toSorted(), [...questions, ...questions].toSorted())
      model.answer = {}
      service = await startService(env)
      const ended = await endOfRun(agentOf(service), run)
      assert.deepEqual([ended.status, ended.passed, ended.failed, ended.done], ['done', 3, 0, 6])
      assert.deepEqual(asked().slice(6).toSorted(), before.slice(2).toSorted())
      await service.end('SIGTERM')
      await database.remove()
    })
  })
