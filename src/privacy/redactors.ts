import type { FastifyBaseLogger } from 'fastify'
import { type Agent, openKey, secretPlace } from '../agents/agent.ts'
import { describeFailure } from '../lib/describe-failure.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import { createPresidioRedactor } from '../redaction/presidio.ts'
import type { RedactionWork } from '../redaction/redaction-work.ts'
import type { PatternRedactorOptions, Redactor } from '../redaction/redactor.ts'
import type { RedactionMode } from '../texts/text-rows.ts'
import { anonymizing, scrubbing, type TextRedactor } from './text-redactor.ts'

/** Makes a redactor according to an agent's settings. */
export type RedactorFor = (mode: RedactionMode, agent: Agent) => TextRedactor

/** The redactors of agents. */
interface Redactors {
  redactorFor: RedactorFor
  /** Makes a redactor without the hosted service, for work that must not wait for it. */
  lateRedactorFor: RedactorFor
}

interface Dependencies {
  work: RedactionWork
  /** The key for the pseudonyms of tool call ids. */
  key: string
  box: SecretBox
  outbound: Outbound
  logger: FastifyBaseLogger
  /** The hosted service that the operator set for the whole installation. */
  installation: { readonly url: string | null; readonly apiKey: string | null }
}

export function createRedactors({ work, key, box, outbound, logger, installation }: Dependencies): Redactors {
  /**
   * Returns the hosted service of an agent that uses one. Only a URL from the environment may be a private address, and
   * only that gets the key from the environment.
   */
  function hostedOf({ id, teamId, settings }: Agent): Redactor | null {
    const { redaction, hosted_redaction, redaction_words } = settings
    if (!hosted_redaction) return null
    const own = redaction.url !== null
    const url = redaction.url ?? installation.url
    if (url === null) return noService
    const apiKey = own ? openKey(redaction, secretPlace(id, 'redaction'), box) : installation.apiKey
    const { language, threshold, entities } = redaction
    return createPresidioRedactor({
      url,
      apiKey,
      language,
      threshold,
      entities,
      allowed: redaction_words.allow,
      async request(target, call) {
        const { status, body } = await outbound.of(teamId).request(target, { ...call, trusted: !own })
        return { status, body: body.toString() }
      },
    })
  }

  /** Each agent has a key of its own, so that pseudonyms of two agents cannot be compared. */
  const keyOf = ({ id }: Agent) => `${key}|${id}`
  const failed = (error: Error) => logger.warn({ error: describeFailure(error) }, 'hosted redaction failed')

  const scrubber = (agent: Agent) => scrubbing(work, agent.teamId, keyOf(agent))
  const anonymizer = (agent: Agent, hosted: Redactor | null, onFailure?: (error: Error) => void) =>
    anonymizing(
      work,
      agent.teamId,
      keyOf(agent),
      patternsOf(agent),
      isNumbered(agent),
      keepsFiles(agent),
      hosted,
      onFailure,
    )

  return {
    redactorFor: (mode, agent) =>
      mode === 'scrub' ? scrubber(agent) : anonymizer(agent, hostedOf(agent), failed),
    lateRedactorFor: (mode, agent) => (mode === 'scrub' ? scrubber(agent) : anonymizer(agent, null)),
  }
}

function isNumbered({ settings }: Agent): boolean {
  return settings.redaction_style === 'numbered'
}

function keepsFiles({ settings }: Agent): boolean {
  return settings.redaction_files === 'keep'
}

/** Returns what the agent's patterns look for. */
export function patternsOf({ settings }: Pick<Agent, 'settings'>): PatternRedactorOptions {
  const { redaction_types, redaction_patterns, redaction_words, redaction_care } = settings
  return {
    types: redaction_types,
    patterns: redaction_patterns,
    words: redaction_words,
    care: redaction_care,
  }
}

/** A stand-in for a hosted service whose URL nobody has set. It fails, so that no text counts as redacted. */
const noService: Redactor = {
  async redact() {
    throw new Error('no redaction service is set')
  },
}
