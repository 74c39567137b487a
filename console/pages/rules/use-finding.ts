import { useTranslation } from 'react-i18next'
import type { Evaluation } from '../../api/types.ts'

/** Returns a function that describes what an evaluator found in a text, if anything. */
export function useFinding(): (evaluation: Pick<Evaluation, 'passed' | 'score' | 'content'>) => string {
  const { t } = useTranslation()
  return ({ passed, score, content }) => {
    if (passed === null) return t('inbox.noScore')
    const points = score === null ? '' : ` (${score})`
    if (passed) return (content ? t('inbox.foundThis', { what: content }) : t('inbox.found')) + points
    return t('inbox.notFound') + points + (content ? ` – ${content}` : '')
  }
}
