import { Anchor, Button, Group, Progress, SegmentedControl, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../../api/session.ts'
import type { KnowledgeImport, KnowledgeImportPage } from '../../../api/types.ts'
import { useList } from '../../../api/use-list.ts'
import { Back } from '../../../ui/Back.tsx'
import { Delete } from '../../../ui/Delete.tsx'
import { ListRows } from '../../../ui/ListRows.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Mark, type MarkTone } from '../../../ui/Mark.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Row } from '../../../ui/Rows.tsx'
import { Time } from '../../../ui/Time.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { useLeftOut, useReason } from '../use-reason.ts'
import { SiteForm } from './SiteForm.tsx'
import { SiteState } from './SiteState.tsx'
import { isUnderWay, LOOK_EVERY_MS } from './use-sites.ts'

/** A site, and the result of each of its pages. */
export function SitePage() {
  const { api, key } = useAgent()
  const { siteId = '' } = useParams({ strict: false })
  const site = useQuery({
    queryKey: key('knowledge', 'sites', siteId),
    queryFn: async ({ signal }) => (await api.get(`/knowledge/imports/${siteId}`, {}, signal)).data,
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data) ? LOOK_EVERY_MS : false),
  })
  return <Loaded query={site}>{(read) => <Site site={read} />}</Loaded>
}

function Site({ site }: { site: KnowledgeImport }) {
  const { t } = useTranslation()
  const { id: agentId, api, key } = useAgent()
  const navigate = useNavigate()
  const mayManage = useRight('manage')
  const [isChanging, changing] = useDisclosure(false)
  const reasonOf = useReason()
  const { id, url, sitemap, error, why, stopped_by, progress, finished_at, next_at } = site
  const title = url ?? sitemap ?? ''
  const crawling = useAction({
    run: () => api.post(`/knowledge/imports/${id}/crawl`),
    refresh: [key('knowledge', 'sites')],
  })
  return (
    <Page
      title={title}
      lead={
        <Group gap="xs" component="span">
          <SiteState site={site} />
          {finished_at === null ? null : <Time at={finished_at} />}
          {next_at === null ? null : (
            <span>
              · {t('knowledge.sites.next')} <Time at={next_at} />
            </span>
          )}
        </Group>
      }
      narrow
      actions={
        <>
          <Back to="/agents/$agentId/knowledge" label={t('pages.knowledge')} />
          {mayManage ? (
            <>
              <Button variant="default" onClick={changing.open}>
                {t('knowledge.sites.settings')}
              </Button>
              <Delete
                path={`/knowledge/imports/${id}`}
                title={t('knowledge.sites.removeTitle')}
                text={t('knowledge.sites.removeText', { address: title })}
                refresh={[key('knowledge')]}
                done={t('knowledge.sites.removed')}
                onDone={() =>
                  void navigate({ to: '/agents/$agentId/knowledge', params: { agentId: String(agentId) } })
                }
              />
              <Button
                loading={crawling.isPending}
                disabled={isUnderWay(site)}
                onClick={() => crawling.mutate()}
              >
                {t('knowledge.sites.again')}
              </Button>
            </>
          ) : null}
        </>
      }
    >
      {error === null ? null : <Text c="var(--parley-red)">{reasonOf(error, why)}</Text>}
      {stopped_by === null ? null : <Text c="dimmed">{t(`knowledge.sites.stopped.${stopped_by}`)}</Text>}
      {isUnderWay(site) ? (
        <Progress
          value={(progress.done / Math.max(1, progress.found)) * 100}
          aria-label={t('knowledge.sites.progressLabel')}
        />
      ) : null}
      <Pages site={site} />
      {isChanging ? <SiteForm site={site} onClose={changing.close} /> : null}
    </Page>
  )
}

const tones: Record<NonNullable<KnowledgeImportPage['outcome']>, MarkTone> = {
  added: 'green',
  replaced: 'green',
  unchanged: 'grey',
  removed: 'grey',
  skipped: 'amber',
}
const filters = ['all', 'added', 'replaced', 'skipped'] as const

function Pages({ site: { id, status, progress, finished_at } }: { site: KnowledgeImport }) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const queries = useQueryClient()
  const [shows, setShows] = useState<(typeof filters)[number]>('all')
  const queryKey = key('knowledge', 'pages', String(id))
  const pages = useList(queryKey, api, `/knowledge/imports/${id}/pages`, {
    ...(shows === 'all' ? {} : { outcome: shows }),
  })
  const state = `${status} ${progress.done} ${progress.found} ${finished_at}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again whenever the crawl has progressed
  useEffect(() => void queries.invalidateQueries({ queryKey }), [state])
  return (
    <Stack gap="sm">
      <Group>
        <SegmentedControl
          aria-label={t('knowledge.sites.filter')}
          value={shows}
          onChange={(value) => setShows(value as typeof shows)}
          data={filters.map((value) => ({ value, label: t(`knowledge.sites.filters.${value}`) }))}
        />
      </Group>
      <ListRows
        label={t('knowledge.sites.pages')}
        query={pages}
        empty={<Text c="dimmed">{t('knowledge.sites.noPages')}</Text>}
      >
        {(page) => <PageRow key={page.id} page={page} />}
      </ListRows>
    </Stack>
  )
}

function PageRow({ page }: { page: KnowledgeImportPage }) {
  const { url, outcome, reason, document_id } = page
  const { t } = useTranslation()
  const reasonOf = useReason()
  const leftOut = useLeftOut()
  const { id: agentId } = useAgent()
  return (
    <Row
      title={url}
      marks={
        <Mark tone={outcome === null ? 'grey' : tones[outcome]}>
          {t(`knowledge.states.${outcome ?? 'waiting'}`)}
        </Mark>
      }
      about={leftOut(page) ?? reasonOf(reason, page)}
      actions={
        document_id === null ? null : (
          <Anchor
            size="secondary"
            renderRoot={(props) => (
              <Link
                to="/agents/$agentId/knowledge/$documentId"
                params={{ agentId: String(agentId), documentId: String(document_id) }}
                {...props}
              />
            )}
          >
            {t('knowledge.sites.document')}
          </Anchor>
        )
      }
    />
  )
}
