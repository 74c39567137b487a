import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import { useWorded } from '../../ui/worded.ts'

/** The pauses between two readings of the state. A final state changes only with the documents. */
const LOOK_EVERY_MS = { off: false, done: false, working: 2000, failing: 5000 } as const

/** The number of passages that are also found by meaning, or the error; nothing without an embedding server. */
export function MeaningState() {
  const { t, i18n } = useTranslation()
  const { api, key } = useAgent()
  const worded = useWorded()
  const { data } = useQuery({
    queryKey: key('knowledge', 'embedding'),
    queryFn: async ({ signal }) => (await api.get('/knowledge/embedding', {}, signal)).data,
    refetchInterval: ({ state }) => LOOK_EVERY_MS[state.data?.status ?? 'off'],
  })
  if (!data || data.status === 'off' || data.passages === 0) return null
  const { status, passages, embedded, skipped, error, why } = data
  const number = new Intl.NumberFormat(i18n.language)
  const all = { count: passages, all: number.format(passages), embedded: number.format(embedded) }
  return (
    <Text size="secondary" c="dimmed" className="foreign numbers">
      {t(embedded === passages ? 'knowledge.meaning.all' : 'knowledge.meaning.some', all)}
      {skipped > 0 ? ` ${t('knowledge.meaning.skipped', { count: skipped })}` : null}
      {status === 'failing' ? (
        <>
          {' '}
          <Text span inherit c="var(--parley-red)">
            {t('knowledge.meaning.failing')}{' '}
            {worded(`knowledge.meaning.failures.${why.code}`, error ?? '', why.values)}
          </Text>
        </>
      ) : null}
    </Text>
  )
}
