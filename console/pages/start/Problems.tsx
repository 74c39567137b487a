import { useQuery } from '@tanstack/react-query'
import type { LinkProps } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import type { Problem } from '../../api/types.ts'
import { Row, Rows } from '../../ui/Rows.tsx'
import { Section } from '../../ui/Section.tsx'

/** The pages on which people mend each kind of problem; null: the settings of the process are to blame. */
const pageOf: Record<Problem['kind'], NonNullable<LinkProps['to']> | null> = {
  endpoint_held: '/agents/$agentId/webhooks',
  channel_refused: '/agents/$agentId/channels',
  import_failed: '/agents/$agentId/knowledge',
  budget_spent: '/agents/$agentId/settings/model',
  row_security_bypassed: null,
}

/** Shows what a person has to mend; nothing when all is well. */
export function Problems() {
  const { t } = useTranslation()
  const { id: agentId, api, key } = useAgent()
  const { data: problems = [] } = useQuery({
    queryKey: key('problems'),
    queryFn: async ({ signal }) => (await api.get('/problems', {}, signal)).data,
  })
  if (problems.length === 0) return null
  return (
    <Section title={t('start.problems.title')} lead={t('start.problems.lead')}>
      <Rows label={t('start.problems.title')}>
        {problems.map(({ kind, id, name }) => {
          const to = pageOf[kind]
          return (
            <Row
              key={`${kind} ${id ?? name}`}
              title={
                kind === 'budget_spent'
                  ? t(`start.problems.budget.${name === 'day' ? 'day' : 'month'}`)
                  : name
              }
              {...(to ? { link: { to, params: { agentId: String(agentId) } } } : {})}
              about={t(`start.problems.${kind}`)}
            />
          )
        })}
      </Rows>
    </Section>
  )
}
