import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { TestRunWithResults } from '../../api/types.ts'

/** Says how a run differs from the one that it is compared with, and how far that can be trusted. */
export function Compared({ run }: { run: TestRunWithResults }) {
  const { t, i18n } = useTranslation()
  const { against, difference = null, beyond_spread = null, same_documents = null } = run
  if (against === undefined) return null
  const points = new Intl.NumberFormat(i18n.language, {
    maximumFractionDigits: 1,
    signDisplay: 'exceptZero',
  }).format((difference ?? 0) * 100)
  return (
    <Text size="secondary">
      {difference === null ? null : t('tests.compared.points', { points, id: against })}{' '}
      {beyond_spread === null ? null : t(`tests.compared.beyond.${beyond_spread}`)}{' '}
      {same_documents === false ? t('tests.compared.otherDocuments') : null}
    </Text>
  )
}
