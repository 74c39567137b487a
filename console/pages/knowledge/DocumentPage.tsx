import { Anchor, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { safeUrl } from '../../../browser/read-markdown.ts'
import { useAgent } from '../../api/session.ts'
import type { DocumentWithPassages } from '../../api/types.ts'
import { Back } from '../../ui/Back.tsx'
import { Delete } from '../../ui/Delete.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { Section } from '../../ui/Section.tsx'
import { Time } from '../../ui/Time.tsx'
import { DocumentText } from './DocumentText.tsx'
import { useLeftOut } from './use-reason.ts'

/** Shows a document as the passages that answers are made from. */
export function DocumentPage() {
  const { api, key } = useAgent()
  const { documentId = '' } = useParams({ strict: false })
  const document = useQuery({
    queryKey: key('knowledge', 'document', documentId),
    queryFn: async () => (await api.get(`/knowledge/${documentId}`)).data,
  })
  return <Loaded query={document}>{(read) => <Passages document={read} />}</Loaded>
}

function Passages({ document }: { document: DocumentWithPassages }) {
  const { t } = useTranslation()
  const { id, key } = useAgent()
  const navigate = useNavigate()
  const { title, source, url, passages, text, edited_at, updated_at } = document
  const leftOut = useLeftOut()(document)
  const address = url === null ? null : safeUrl(url)
  return (
    <Page
      title={title}
      lead={
        <>
          {source === title ? null : (
            <>
              <bdi>{source}</bdi> ·{' '}
            </>
          )}
          {edited_at ? t('knowledge.edited') : t('knowledge.changed')} <Time at={edited_at ?? updated_at} />
          {leftOut === null ? null : (
            <>
              <br />
              {leftOut}
            </>
          )}
        </>
      }
      narrow
      actions={
        <>
          <Back to="/agents/$agentId/knowledge" label={t('pages.knowledge')} />
          <Delete
            path={`/knowledge/${document.id}`}
            title={t('knowledge.removeTitle')}
            text={t('knowledge.removeText', { title })}
            refresh={[key('knowledge')]}
            done={t('knowledge.removed', { title })}
            onDone={() =>
              void navigate({ to: '/agents/$agentId/knowledge', params: { agentId: String(id) } })
            }
          />
        </>
      }
    >
      {address ? (
        <Anchor href={address} target="_blank" rel="noreferrer noopener" className="foreign">
          {address}
        </Anchor>
      ) : null}
      <Section
        title={t('knowledge.edit')}
        lead={text === null ? t('knowledge.noText') : t('knowledge.editLead')}
      >
        {text === null ? null : <DocumentText key={document.id} document={document} />}
      </Section>
      <Title order={2}>{t('knowledge.passages', { count: passages.length })}</Title>
      <Stack>
        {passages.map(({ heading, text }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: passages have no identity but their place
          <Section key={index} title={heading || title}>
            <Text className="foreign" style={{ whiteSpace: 'pre-wrap' }}>
              {text}
            </Text>
          </Section>
        ))}
      </Stack>
    </Page>
  )
}
