import { useTranslation } from 'react-i18next'
import type { TestRun } from '../../api/types.ts'
import { Mark } from '../../ui/Mark.tsx'
import { isUnderWay } from './use-runs.ts'

/** The progress of a run, or its result. */
export function RunState({ run }: { run: TestRun }) {
  const { t } = useTranslation()
  const { status, total, failed, done, repeats } = run
  if (isUnderWay(run)) return <Mark tone="grey">{t('tests.underWay', { done, total: total * repeats })}</Mark>
  if (status === 'failed') return <Mark tone="red">{t('tests.broken')}</Mark>
  if (failed > 0) return <Mark tone="red">{t('tests.someFailed', { count: failed, total })}</Mark>
  return <Mark tone="green">{t('tests.allPassed', { count: total })}</Mark>
}
