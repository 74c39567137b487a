import type { FastifyBaseLogger } from 'fastify'
import { type Agent, secretPlace } from '../agents/agent.ts'
import { newest } from '../lib/newest.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { createPresidioRedactor } from '../redaction/presidio.ts'
import type { Redactor } from '../redaction/redactor.ts'
import { createPatternRedactor, type PatternRedactor } from '../redaction/redactor.ts'
import type { RedactionMode } from '../storage/tables.ts'
import { anonymizer } from './anonymize.ts'
import type { RedactLate } from './end-turn.ts'
import type { RedactableValue, ValueRedactor } from './redact-completions.ts'
import { scrub } from './scrub.ts'

/** The redactors of agents, as their settings say. */
export interface Redactors {
  redactorFor: (mode: RedactionMode, agent: Agent) => ValueRedactor
  redactLate: RedactLate
}

interface Dependencies {
  box: SecretBox
  outbound: Outbound
  logger: FastifyBaseLogger
  /** The hosted service that the operator set for the whole installation. */
  installation: { readonly url: string | null; readonly apiKey: string | null }
}

export function createRedactors({ box, outbound, logger, installation }: Dependencies): Redactors {
  const patterns = newest<number, { settings: string; redactor: PatternRedactor }>(100)

  /** Kept while an agent's settings stay: putting the patterns together costs more than a message. */
  function patternsOf({ id, settings }: Agent): PatternRedactor {
    const { redaction_types: types, redaction_patterns } = settings
    const asked = JSON.stringify([types, redaction_patterns])
    const kept = patterns.get(id)
    if (kept?.settings === asked) return kept.redactor
    const redactor = createPatternRedactor({ types, patterns: redaction_patterns })
    patterns.set(id, { settings: asked, redactor })
    return redactor
  }

  /** Only an address from the environment is trusted to be private, and only it is sent the environment's key. */
  function hostedOf({ id, settings: { redaction, hosted_redaction } }: Agent): Redactor | null {
    if (!hosted_redaction) return null
    const own = redaction.url !== null
    const url = redaction.url ?? installation.url
    if (url === null) return noService
    const sealed = redaction.api_key
    const apiKey = own ? sealed && box.open(sealed, secretPlace(id, 'redaction')) : installation.apiKey
    const { language, threshold, entities } = redaction
    return createPresidioRedactor({
      url,
      apiKey,
      language,
      threshold,
      entities,
      async request(target, call) {
        const { status, body } = await outbound.request(target, { ...call, trusted: !own })
        return { status, body: body.toString() }
      },
    })
  }

  return {
    redactorFor: (mode, agent) =>
      mode === 'scrub'
        ? scrub
        : anonymizer(patternsOf(agent), hostedOf(agent), (error) =>
            logger.warn({ error: error.name }, 'hosted redaction failed'),
          ),
    redactLate(mode, agent, answer) {
      const { now } = mode === 'scrub' ? scrub : anonymizer(patternsOf(agent), null)
      const redact = <T>(value: RedactableValue): T => now(value) as T
      return {
        ...answer,
        content: redact({ kind: 'content', value: answer.content }),
        refusal: redact({ kind: 'text', value: answer.refusal }),
        tool_calls: redact({ kind: 'tool_calls', value: answer.tool_calls }),
        citations: answer.citations.map((citation) => ({
          ...citation,
          snippet: redact({ kind: 'text', value: citation.snippet }),
        })),
      }
    },
  }
}

/** The agent wants a service that nobody has set: it fails, so that nothing counts as done. */
const noService: Redactor = {
  async redact() {
    throw new Error('no redaction service is set')
  },
}
