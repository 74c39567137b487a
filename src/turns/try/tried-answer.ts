import type { FoundPassage, ReasonForWords } from '../../model/findings.ts'
import type { Citation, ModelMessage, Usage } from '../../model/model.ts'
import { type ExplainedRule, explainRules } from '../../rules/explain-rules.ts'
import type { TurnRules } from '../../rules/turn-rules.ts'
import type { Cta } from '../../transcripts/citations-and-ctas.ts'
import type { Rewriting } from '../retrieval/rewrite-question.ts'
import type { TriedCall } from './tried-tools.ts'

export type TriedPassage = Pick<
  FoundPassage,
  'source' | 'title' | 'url' | 'heading' | 'text' | 'score' | 'coverage'
>

interface TriedEvaluation {
  evaluator: { id: number; name: string }
  subject: string
  score: number | null
  passed: boolean | null
  content: string | null
  failed: boolean
}

/** The answer to a prompt that was tried out. */
export interface TriedAnswer {
  response: string | null
  /** The text that models see in place of the prompt, which a guardrail replaced or blocked; null: the prompt itself. */
  shown_as: string | null
  /** True if the agent had an answer; null: its model does not tell. */
  answered: boolean | null
  model: string
  finish_reason: string | null
  usage: Usage | null
  citations: Citation[]
  ctas: Cta[]
  agent_paused: boolean
  /** True if the user would wait for a person: they asked for one, or the model did. */
  person_asked: boolean
  /** The failure of the model, in its server's own words without credentials; null: it answered. */
  error: { reason: string; status: number | null; code: string | null; message: string } | null
  trace: {
    requests: {
      model: string
      messages: ModelMessage[]
      parameters: Record<string, unknown>
      ms: number
      /** The model's thoughts before its answer; empty when its server tells nothing of them. */
      thoughts: string
    }[]
    passages: TriedPassage[]
    /** The queries into which the question was put; null: it was searched for as it stands. */
    rewrite: (Rewriting & { ms: number }) | null
    tools: TriedCall[]
    retrieval_score: number
    /** The reason why the search compared only words, not meanings; null: it compared both, or nothing was searched. */
    only_words: ReasonForWords | null
    rules: ExplainedRule[]
    evaluations: TriedEvaluation[]
    times: { retrieval_ms: number; model_ms: number; total_ms: number }
  }
}

/** Returns what an agent's rules did with an answer. */
export function rulesTold(rules: TurnRules | null) {
  if (!rules) return { rules: [], evaluations: [] }
  const soFar = rules.soFar()
  const evaluations = soFar.evaluations.map(({ evaluator, evaluation, subject }) => ({
    evaluator: { id: evaluator.id, name: evaluator.name },
    subject,
    score: evaluation.score,
    passed: evaluation.passed,
    content: evaluation.content,
    failed: evaluation.error !== undefined,
  }))
  return { rules: explainRules(soFar), evaluations }
}
