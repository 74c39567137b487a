import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../api/session.ts'
import { useList } from '../../api/use-list.ts'
import { Empty } from '../../ui/Empty.tsx'
import { BookIcon, PlusIcon } from '../../ui/icons.tsx'
import { ListRows } from '../../ui/ListRows.tsx'
import { Page } from '../../ui/Page.tsx'
import { Row } from '../../ui/Rows.tsx'
import { Time } from '../../ui/Time.tsx'
import { DocumentForm } from './DocumentForm.tsx'
import { MeaningState } from './MeaningState.tsx'
import { Proposals } from './Proposals.tsx'
import { SearchTrial } from './SearchTrial.tsx'
import { Sites } from './sites/Sites.tsx'
import { Unanswered } from './Unanswered.tsx'
import { Upload } from './Upload.tsx'

/** The number of documents shown at first, so that the parts below them stay within reach. */
const FIRST = 10

/** The page of everything that the agent answers from, its documents first. */
export function KnowledgePage() {
  const { t } = useTranslation()
  const { id, api, key } = useAgent()
  const mayManage = useRight('manage')
  const [isAdding, adding] = useDisclosure(false)
  const documents = useList(key('knowledge'), api, '/knowledge', {
    per_page: FIRST,
  })
  const add = mayManage ? (
    <Button leftSection={<PlusIcon />} onClick={adding.open}>
      {t('knowledge.add')}
    </Button>
  ) : null
  return (
    <Page title={t('pages.knowledge')} lead={t('knowledge.lead')} narrow actions={add}>
      <MeaningState />
      <ListRows
        label={t('knowledge.documents')}
        query={documents}
        empty={
          <Empty icon={BookIcon} title={t('knowledge.empty')} text={t('knowledge.emptyText')} action={add} />
        }
      >
        {(document) => (
          <Row
            key={document.id}
            title={document.title}
            link={{
              to: '/agents/$agentId/knowledge/$documentId',
              params: { agentId: String(id), documentId: String(document.id) },
            }}
            about={
              <>
                {document.source === document.title ? null : `${document.source} · `}
                {t('knowledge.changed')} <Time at={document.updated_at} />
              </>
            }
          />
        )}
      </ListRows>
      {mayManage ? <Upload key={`upload ${id}`} /> : null}
      <SearchTrial key={`try ${id}`} />
      <Sites key={`sites ${id}`} />
      <Proposals key={`proposals ${id}`} />
      <Unanswered key={`unanswered ${id}`} />
      {isAdding ? <DocumentForm onClose={adding.close} /> : null}
    </Page>
  )
}
