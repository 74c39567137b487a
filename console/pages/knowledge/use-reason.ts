import type { KnowledgeImport } from '../../api/types.ts'
import { useWorded } from '../../ui/worded.ts'

/** Returns a function that says in the reader's language why something gave nothing, or what of it was left out. */
export function useReason(): (sentence: string | null, why: KnowledgeImport['why']) => string | null {
  const worded = useWorded()
  return (sentence, { code, values }) => {
    if (sentence === null) return null
    const { cause, reason } = values
    const said =
      cause === undefined || reason === undefined
        ? values
        : { ...values, reason: worded(`knowledge.reasons.${cause}`, reason, values) }
    return worded(`knowledge.reasons.${code}`, sentence, said)
  }
}
