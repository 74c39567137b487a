import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Model, type ModelAnswer, ModelError, type ModelRequest } from '../../../src/model/model.ts'
import { withoutTools } from '../../../src/model/without-tools.ts'

const ANSWER: ModelAnswer = {
  ...{ content: 'Hello', tool_calls: [], refusal: null, finish_reason: 'stop', usage: null, citations: [] },
  model: 'm',
}

const named = (name: string) => ({ type: 'function', function: { name } })

const asking = (...names: string[]): ModelRequest => ({
  model: 'm',
  messages: [],
  parameters: { temperature: 0, tools: names.map(named), tool_choice: 'auto', parallel_tool_calls: true },
})

describe('withoutTools', () => {
  /** A model that fails as told, and remembers what it was asked. */
  function modelThat(fails: (request: ModelRequest) => ModelError | null) {
    const asked: string[][] = []
    const model: Model = {
      async complete(request) {
        asked.push(Object.keys(request.parameters))
        const error = fails(request)
        if (error) throw error
        return ANSWER
      },
      async *stream() {
        yield []
      },
    }
    return { model, asked }
  }

  const refused = (status: number, message: string) =>
    new ModelError('status', 'refused', { status, said: { code: null, message } })
  const signal = new AbortController().signal

  it('leaves the tool out once it was refused, and tries it again after an hour', async () => {
    let now = 0
    const { model, asked } = modelThat(({ parameters }) =>
      parameters.tools ? refused(400, 'no tools, please') : null,
    )
    const { model: wrapped, takesTools } = withoutTools(model, () => now)
    assert.equal(takesTools(), true)
    await wrapped.complete(asking('search_documents'), signal)
    assert.equal(takesTools(), false)
    await wrapped.complete(asking('search_documents'), signal)
    const all = ['temperature', 'tools', 'tool_choice', 'parallel_tool_calls']
    assert.deepEqual(asked, [all, ['temperature'], ['temperature']])
    await assert.rejects(wrapped.complete(asking('search_documents', 'needed'), signal), /refused/)
    now = 3_600_000
    assert.equal(takesTools(), true)
    await wrapped.complete(asking('search_documents'), signal)
    assert.deepEqual(asked.slice(-2), [all, ['temperature']])
  })

  it('takes no other failure for a refusal', async () => {
    for (const error of [
      refused(401, 'wrong key'),
      refused(500, 'out of memory'),
      refused(400, 'the prompt is longer than the maximum context length'),
      new ModelError('timeout', 'refused'),
    ]) {
      const { model, asked } = modelThat(() => error)
      const { model: wrapped, takesTools } = withoutTools(model)
      await assert.rejects(wrapped.complete(asking('search_documents'), signal))
      assert.deepEqual([asked.length, takesTools()], [1, true])
    }
  })
})
