import type { KnowledgeFile, KnowledgeImport } from '../../api/types.ts'
import { useWorded } from '../../ui/worded.ts'

/** Returns a function that says in the reader's language what was left out of a document; null: nothing was. */
export function useLeftOut(): (of: Pick<KnowledgeFile, 'notes' | 'left_out'>) => string | null {
  const reasonOf = useReason()
  return ({ notes, left_out }) =>
    left_out.map((why, index) => reasonOf(notes[index] ?? '', why)).join(' ') || null
}

/** Returns a function that says in the reader's language why something gave nothing. */
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
