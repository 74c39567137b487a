import { randomBytes } from 'node:crypto'
import type { Agent } from '../agents/agent.ts'
import { createPatternRedactor, type Finding } from '../redaction/pattern-redactor.ts'
import { patternsOf, type RedactorFor } from './redactors.ts'

interface TriedRedaction {
  redacted: string
  /** The findings of the patterns, in the order of the text. */
  findings: Pick<Finding, 'type' | 'start' | 'end'>[]
  /** True if the hosted service was asked and did its part; null: the agent uses none. */
  hosted: boolean | null
}

/** Redacts a text as the agent's settings say, and stores nothing. */
export async function tryRedaction(
  redactorFor: RedactorFor,
  agent: Agent,
  text: string,
): Promise<TriedRedaction> {
  const found = createPatternRedactor(patternsOf(agent)).find(text)
  const redactor = redactorFor('anonymize', agent)
  // The text belongs to no conversation, so its numbers are made for this once.
  const numbers = redactor.isNumbered ? randomBytes(16).toString('base64url') : null
  const redacted = await redactor.redact('text', text, numbers)
  return {
    redacted,
    findings: found.map(({ type, start, end }) => ({ type, start, end })),
    hosted: agent.settings.hosted_redaction ? !redactor.failed : null,
  }
}
