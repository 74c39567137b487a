import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { boundedText } from '../../http/schemas.ts'
import { httpAddress } from '../../lib/outbound/http-address.ts'
import { OutboundError, type OutboundReason, type OutboundResponse } from '../../lib/outbound/outbound.ts'
import { readPeerJson } from '../../lib/outbound/read-peer-json.ts'
import { webhookSignature } from '../../lib/secrets/webhook-signature.ts'
import {
  EvaluatorError,
  type EvaluatorInput,
  type EvaluatorKind,
  type FailureReason,
  type JudgeDependencies,
  type Verdict,
} from '../evaluator.ts'
import { boundedReason } from '../parse-verdict.ts'

const settings = z.strictObject({
  url: httpAddress.describe('Must be public, unless the operator allows private targets.'),
  secret: boundedText(1000)
    .min(1)
    .nullable()
    .default(null)
    .describe('Signs the calls. Stored sealed, never answered.'),
})

const TIMEOUT_MS = 5000
const MOST_BYTES = 64 * 1024

export const webhook: EvaluatorKind<typeof settings> = {
  cost: 'costly',
  summary: 'Asks an HTTP service of your own.',
  settings,
  threshold: 0.5,
  reach: () => 'whole',
  judge({ url, secret }, { outbound, openSecret, evaluator }) {
    const key = secret === null ? null : openSecret(secret, url)
    return async (input, signal) => {
      // A call that should be signed and cannot be is not sent.
      if (secret !== null && key === null)
        throw new EvaluatorError('blocked', 'the secret belongs to another origin')
      const body = payload(input, evaluator)
      try {
        const response = await outbound.of(input.agent.teamId).request(url, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            accept: 'application/json',
            'user-agent': 'parley',
            ...(key === null ? {} : signature(key, body)),
          },
          body,
          signal,
          timeoutMs: TIMEOUT_MS,
          maxResponseBytes: MOST_BYTES,
          freshConnection: true,
        })
        return readAnswer(response)
      } catch (error) {
        signal.throwIfAborted()
        throw error instanceof OutboundError ? toEvaluatorError(error) : error
      }
    }
  },
}

/** Signs one call. Calls are not repeated, so each has an id of its own. */
function signature(secret: string, body: string): Record<string, string> {
  const id = `evaluation_${randomUUID()}`
  return webhookSignature(secret, { id, seconds: Math.floor(Date.now() / 1000), body })
}

function payload({ text, facts, agent }: EvaluatorInput, evaluator: JudgeDependencies['evaluator']): string {
  return JSON.stringify({
    evaluator: { id: evaluator.id, name: evaluator.name },
    agent: { id: agent.id, name: agent.name },
    text,
    prompt: facts['prompt.text'] ?? null,
    response: facts['response.text'] ?? null,
  })
}

const answerSchema = z.union([
  z.object({ score: z.number().min(0).max(1), reason: z.unknown().optional() }),
  z.object({ passed: z.boolean(), reason: z.unknown().optional() }),
])

function readAnswer({ status, body }: OutboundResponse): Verdict {
  if (status < 200 || status > 299) throw new EvaluatorError('status', `the webhook answered ${status}`)
  let json: unknown
  try {
    json = readPeerJson(body)
  } catch {
    throw new EvaluatorError('bad_answer', 'the webhook did not answer with JSON')
  }
  const { data } = answerSchema.safeParse(json)
  if (!data)
    throw new EvaluatorError(
      'bad_answer',
      'the answer of the webhook has neither a score from 0 to 1 nor passed',
    )
  const score = 'score' in data ? data.score : Number(data.passed)
  return { score, content: boundedReason(data.reason) }
}

function toEvaluatorError(error: OutboundError): EvaluatorError {
  const reasons: Record<OutboundReason, FailureReason> = {
    blocked: 'blocked',
    timeout: 'timeout',
    unreachable: 'unreachable',
    tls: 'unreachable',
    protocol: 'bad_answer',
    too_large: 'bad_answer',
    aborted: 'internal',
  }
  return new EvaluatorError(reasons[error.reason], error.message, { cause: error })
}
