import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { UserImport } from '../../api/types.ts'
import { Mark, type MarkTone } from '../../ui/Mark.tsx'
import { Row, Rows } from '../../ui/Rows.tsx'
import { useWorded } from '../../ui/worded.ts'

type ImportRow = UserImport['rows'][number]

const tones: Record<ImportRow['outcome'], MarkTone> = {
  created: 'green',
  changed: 'green',
  unchanged: 'grey',
  erased: 'grey',
  refused: 'red',
}
const outcomes = ['created', 'changed', 'unchanged', 'erased', 'refused'] as const
const SHOWN = 100

/** The outcomes of the rows of a file, with the rows that are left out first. */
export function ImportReport({ report }: { report: UserImport }) {
  const { t } = useTranslation()
  const { counts, is_dry_run } = report
  const rows = report.rows.toSorted(
    (a, b) => Number(b.outcome === 'refused') - Number(a.outcome === 'refused'),
  )
  const said = outcomes.filter((one) => counts[one] > 0)
  return (
    <Stack gap="xs">
      <Text role="status" className="numbers">
        {t(is_dry_run ? 'users.importWould' : 'users.importDid')}{' '}
        {said.map((one) => `${t(`users.importOutcomes.${one}`)}: ${counts[one]}`).join(' · ')}
      </Text>
      <Rows label={t('users.importRows')}>
        {rows.slice(0, SHOWN).map((row) => (
          <ImportLine key={row.line} row={row} />
        ))}
      </Rows>
      {rows.length > SHOWN ? (
        <Text c="dimmed">{t('users.importMore', { count: rows.length - SHOWN })}</Text>
      ) : null}
    </Stack>
  )
}

function ImportLine({ row: { line, id, outcome, faults } }: { row: ImportRow }) {
  const { t } = useTranslation()
  const worded = useWorded()
  const place = t('users.importLine', { line })
  const reasons = faults.map(({ column, code, values, message }) => {
    const reason = worded(`users.importFaults.${code}`, message, values)
    return column === null ? reason : `${column}: ${reason}`
  })
  return (
    <Row
      title={id === '' ? place : id}
      marks={<Mark tone={tones[outcome]}>{t(`users.importOutcomes.${outcome}`)}</Mark>}
      about={[...(id === '' ? [] : [place]), ...reasons].join(' · ')}
    />
  )
}
