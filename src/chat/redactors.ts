import type { Kysely } from 'kysely'
import type { Outbound } from '../lib/outbound/outbound.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import type { ModelAnswer } from '../model/model.ts'
import type { RedactionMode, Tables } from '../storage/tables.ts'
import type { RedactLate } from './end-turn.ts'
import type { ValueRedactor } from './redact-completions.ts'
import { scrub, scrubToolCalls, scrubValue } from './scrub.ts'

export interface Redactors {
  redactorFor: (mode: RedactionMode, agentId: number) => Promise<ValueRedactor>
  redactLate: RedactLate
}

interface Dependencies {
  db: Kysely<Tables>
  box: SecretBox
  outbound: Outbound
  installation: { readonly url: string | null; readonly apiKey: string | null }
}

/** The redactors of agents, as their settings say. */
export function createRedactors(_dependencies: Dependencies): Redactors {
  return {
    async redactorFor() {
      return scrub
    },
    redactLate: (_mode, answer): ModelAnswer => ({
      ...answer,
      content: scrubValue(answer.content),
      refusal: scrubValue(answer.refusal),
      tool_calls: scrubToolCalls(answer.tool_calls) ?? [],
      citations: answer.citations.map((citation) => ({ ...citation, snippet: scrubValue(citation.snippet) })),
    }),
  }
}
