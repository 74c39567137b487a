import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { boundedText } from '../../http/schemas.ts'
import { completeInSpan } from '../../model/complete-in-span.ts'
import {
  type ModelAnswer,
  ModelError,
  type ModelMessage,
  type ModelRequest,
  refusesParameters,
} from '../../model/model.ts'
import { EvaluatorError, type EvaluatorInput, type EvaluatorKind, type FailureReason } from '../evaluator.ts'
import { parseVerdict } from '../parse-verdict.ts'
import { ASKED_FOR_CONTEXT, CRITERIA, JUDGE_TASK, REASON, SCORE, TO_JUDGE } from '../wording.ts'

const settings = z.strictObject({
  criteria: boundedText(10_000)
    .min(1)
    .describe('What is judged, and what makes a score of 1. The text itself is not part of it.'),
  model: boundedText(200)
    .min(1)
    .nullable()
    .default(null)
    .describe("Another model of the agent's model server; null: the one that answers."),
  timeout_ms: z.int().min(100).max(60_000).default(15_000),
})

export const modelJudge: EvaluatorKind<typeof settings> = {
  cost: 'costly',
  summary: "Asks the agent's language model to score the text against criteria in plain words.",
  settings,
  threshold: 0.5,
  reach: () => 'whole',
  judge({ criteria, model: otherModel, timeout_ms }, { modelFor, modelFailed }) {
    /** True once the server has refused a request for structured output. */
    let isPlain = false

    return async (input, signal) => {
      const model = modelFor(input.agent)
      if (model.isBuiltIn) throw new EvaluatorError('no_model', 'the agent has no language model')
      if (await input.isSpent?.()) throw new EvaluatorError('budget_reached', 'the budget is used up')
      const timeout = AbortSignal.timeout(timeout_ms)
      const asked = AbortSignal.any([signal, timeout])
      const request = { model: otherModel ?? model.name, messages: judgeMessages(criteria, input) }
      const complete = async (parameters: ModelRequest['parameters']) => {
        try {
          return await completeInSpan(model, { ...request, parameters }, asked)
        } catch (error) {
          if (error instanceof ModelError) modelFailed(input.agent.id, error)
          throw error
        }
      }
      try {
        if (isPlain) return read(await complete({}))
        try {
          return read(await complete(STRUCTURED))
        } catch (error) {
          if (!refusesParameters(error)) throw error
          const answer = await complete({})
          isPlain = true
          return read(answer)
        }
      } catch (error) {
        signal.throwIfAborted()
        if (timeout.aborted) throw new EvaluatorError('timeout', 'the model took too long', { cause: error })
        throw error instanceof ModelError ? toEvaluatorError(error) : error
      }
    }
  },
}

const STRUCTURED = {
  temperature: 0,
  response_format: {
    type: 'json_schema',
    json_schema: {
      name: 'verdict',
      strict: true,
      schema: {
        type: 'object',
        properties: {
          reason: { type: 'string', description: REASON },
          score: { type: 'number', description: SCORE },
        },
        required: ['reason', 'score'],
        additionalProperties: false,
      },
    },
  },
}

function judgeMessages(criteria: string, { text, facts }: EvaluatorInput): ModelMessage[] {
  // The author of the text cannot know the code, and so cannot end the block that holds the text.
  const code = randomBytes(8).toString('hex')
  const block = (name: string, content: string) => `<${name} ${code}>\n${content}\n</${name} ${code}>`
  const prompt = facts['prompt.text']
  const context =
    typeof prompt === 'string' && prompt !== text ? [ASKED_FOR_CONTEXT, block('prompt', prompt)] : []
  const parts = [CRITERIA, criteria, ...context, TO_JUDGE, block('text', text)]
  return [
    { role: 'system', content: JUDGE_TASK },
    { role: 'user', content: parts.join('\n\n') },
  ]
}

function read({ content }: ModelAnswer) {
  const text = typeof content === 'string' ? content : (content ?? []).map(({ text }) => text ?? '').join('')
  return parseVerdict(text)
}

function toEvaluatorError(error: ModelError): EvaluatorError {
  const reasons: Record<ModelError['reason'], FailureReason> = {
    unreachable: 'unreachable',
    interrupted: 'unreachable',
    timeout: 'timeout',
    status: 'status',
    protocol: 'bad_answer',
    blocked: 'blocked',
    masking: 'internal',
  }
  return new EvaluatorError(reasons[error.reason], error.message, { cause: error })
}
