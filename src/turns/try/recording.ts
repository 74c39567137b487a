import type { Agent } from '../../agents/agent.ts'
import type { NamedModel } from '../../agents/model-of-agent.ts'
import type { Findings, FoundPassage, ReasonForWords } from '../../model/findings.ts'
import { type Model, type ModelRequest, thoughtsOf } from '../../model/model.ts'
import { asSent } from '../../privacy/mask/masked-model.ts'
import { sinceMs } from './since-ms.ts'
import type { TriedAnswer, TriedPassage } from './tried-answer.ts'
import type { TryDependencies } from './try-dependencies.ts'

/** Wraps the agent's model and knowledge to record what they were asked and how long it took. */
export function recording(
  { retrieve, rewrite, searchFurther, search }: TryDependencies,
  named: NamedModel,
  agent: Agent,
) {
  const requests: TriedAnswer['trace']['requests'] = []
  const passages: TriedPassage[] = []
  let rewritten: TriedAnswer['trace']['rewrite'] = null
  const times = { retrieval_ms: 0, model_ms: 0 }
  let onlyWords: ReasonForWords | null = null
  const model: Model = {
    async *stream(request, signal) {
      const { sent, ended } = await begin(request)
      try {
        for await (const pieces of named.model.stream(request, signal)) {
          for (const { delta } of pieces) sent.thoughts += thoughtsOf(delta)
          yield pieces
        }
      } finally {
        ended()
      }
    },
    async complete(request, signal) {
      const { sent, ended } = await begin(request)
      try {
        const answer = await named.model.complete(request, signal)
        sent.thoughts = answer.thoughts ?? ''
        return answer
      } finally {
        ended()
      }
    },
  }
  /** Begins a record. `ended` is to be called when the model has answered. */
  async function begin(request: ModelRequest) {
    const started = performance.now()
    const { model, messages, parameters } = request
    const sent = { model, messages, parameters, ms: 0, thoughts: '' }
    requests.push(sent)
    // The built-in answerer searches by itself.
    if (named.isBuiltIn) note(await search(agent, messages))
    const ended = () => {
      const left = asSent(request)
      Object.assign(sent, left && { messages: left.messages, parameters: left.parameters })
      // A request that could not be masked was not sent.
      if (!left) requests.splice(requests.indexOf(sent), 1)
      sent.ms = sinceMs(started)
      times.model_ms += sent.ms
    }
    return { sent, ended }
  }
  function note(found: Pick<Findings, 'passages' | 'onlyWords'>): void {
    passages.push(...found.passages.map(presentPassage))
    onlyWords = found.onlyWords ?? onlyWords
  }
  return {
    named: { ...named, model },
    requests,
    passages,
    times,
    onlyWords: () => onlyWords,
    rewritten: () => rewritten,
    async retrieve(...asked: Parameters<TryDependencies['retrieve']>) {
      const started = performance.now()
      const context = await retrieve(...asked)
      times.retrieval_ms += sinceMs(started)
      // The passages found for the queries of a question replace those found for its own words.
      passages.length = 0
      if (context) note(context)
      return context
    },
    async rewrite(...asked: Parameters<TryDependencies['rewrite']>) {
      const started = performance.now()
      const made = await rewrite(...asked)
      rewritten = made && { ...made, ms: sinceMs(started) }
      return made
    },
    async searchFurther(...asked: Parameters<TryDependencies['searchFurther']>) {
      const started = performance.now()
      const further = await searchFurther(...asked)
      times.retrieval_ms += sinceMs(started)
      passages.push(...further.passages.map(presentPassage))
      return further
    },
  }
}

function presentPassage({ source, title, url, heading, text, score, coverage }: FoundPassage): TriedPassage {
  return { source, title, url, heading, text, score, coverage }
}
