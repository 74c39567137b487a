import { Button, Group, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../../api/session.ts'
import type { KnowledgeImport } from '../../../api/types.ts'
import { PlusIcon } from '../../../ui/icons.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Row, Rows } from '../../../ui/Rows.tsx'
import { Section } from '../../../ui/Section.tsx'
import { Time } from '../../../ui/Time.tsx'
import { SiteForm } from './SiteForm.tsx'
import { SiteState } from './SiteState.tsx'
import { useSites } from './use-sites.ts'

/** The sites whose pages the agent answers from. */
export function Sites() {
  const { t } = useTranslation()
  const mayManage = useRight('manage')
  const [isAdding, adding] = useDisclosure(false)
  const sites = useSites()
  return (
    <Section title={t('knowledge.sites.title')} lead={t('knowledge.sites.lead')}>
      <Loaded query={sites}>
        {(all) =>
          all.length === 0 ? (
            <Text c="dimmed">{t('knowledge.sites.empty')}</Text>
          ) : (
            <Rows label={t('knowledge.sites.title')}>
              {all.map((site) => (
                <SiteRow key={site.id} site={site} />
              ))}
            </Rows>
          )
        }
      </Loaded>
      {mayManage ? (
        <Group>
          <Button variant="default" leftSection={<PlusIcon />} onClick={adding.open}>
            {t('knowledge.sites.add')}
          </Button>
        </Group>
      ) : null}
      {isAdding ? <SiteForm site={null} onClose={adding.close} /> : null}
    </Section>
  )
}

function SiteRow({ site }: { site: KnowledgeImport }) {
  const { t } = useTranslation()
  const { id: agentId } = useAgent()
  const { id, url, sitemap, error, counts, finished_at } = site
  const documents = counts.added + counts.replaced + counts.unchanged
  return (
    <Row
      title={url ?? sitemap ?? ''}
      link={{
        to: '/agents/$agentId/knowledge/sites/$siteId',
        params: { agentId: String(agentId), siteId: String(id) },
      }}
      marks={<SiteState site={site} />}
      about={
        error ?? (
          <>
            {t('knowledge.sites.documents', { count: documents })}
            {finished_at === null ? null : (
              <>
                {' · '}
                <Time at={finished_at} />
              </>
            )}
          </>
        )
      }
    />
  )
}
