import type { Model } from './model.ts'
export function knowledgeAnswerer(_s: unknown): Model {
  return {
    complete: async (r) => ({
      content: 'hi',
      tool_calls: [],
      refusal: null,
      finish_reason: 'stop',
      usage: null,
      citations: [],
      model: r.model,
    }),
    stream: async function* () {
      yield [{ delta: { content: 'hi ' }, finish_reason: null, usage: null }]
      yield [{ delta: { content: 'there' }, finish_reason: 'stop', usage: null }]
    },
  }
}
