import type { Agent } from '../../agents/agent.ts'
import { LONG, type RedactionWork } from '../../redaction/redaction-work.ts'
import type { PatternRedactorOptions } from '../../redaction/redactor.ts'
import { patternsOf } from '../redactors.ts'
import type { Mask } from './masking.ts'

/** Returns how an agent masks what is sent to model servers; null: it does not. */
export type MaskOf = (agent: Agent) => Mask | null

/** @param key makes the numbers of placeholders, together with the keys of conversations */
export function createMasks({ work, key }: { work: Pick<RedactionWork, 'run'>; key: string }): MaskOf {
  return (agent) => {
    const { mask } = agent.settings
    if (!mask) return null
    const options = maskedBy(agent, mask.types)
    return {
      restores: mask.restore,
      async apply(request, around, known, numbers) {
        const maskable = [request, around] as const
        const size = [...request.messages, ...around.messages].reduce(
          (sum, { content }) => sum + sizeOf(content),
          0,
        )
        // Only a text is passed to another thread.
        const given = size > LONG ? JSON.stringify(maskable) : maskable
        return work.run(agent.teamId, 'mask', given, known, `${key}|${agent.id}`, options, numbers)
      },
    }
  }
}

/** Returns what a mask looks for: its types, patterns of the agent among them. */
function maskedBy(agent: Agent, types: readonly string[]): PatternRedactorOptions {
  const { patterns = [], ...options } = patternsOf(agent)
  return { ...options, types, patterns: patterns.filter(({ name }) => types.includes(name)) }
}

function sizeOf(content: unknown): number {
  if (typeof content === 'string') return content.length
  return content === null ? 0 : JSON.stringify(content).length
}
