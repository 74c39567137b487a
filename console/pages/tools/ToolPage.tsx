import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../api/session.ts'
import type { Tool } from '../../api/types.ts'
import { useList } from '../../api/use-list.ts'
import { MissingPage } from '../../shell/MissingPage.tsx'
import { Back } from '../../ui/Back.tsx'
import { Confirm } from '../../ui/Confirm.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { useAction } from '../../ui/use-action.ts'
import { ToolForm } from './ToolForm.tsx'
import { ToolTrial } from './ToolTrial.tsx'

/** One tool, or a new one. */
export function ToolPage() {
  const { api, key } = useAgent()
  const { toolId = '' } = useParams({ strict: false })
  // All of an agent's tools fit in one page of the list.
  const tools = useList<Tool>(key('tools'), api, '/tools', { per_page: 100 })
  if (toolId === 'new') return <OneTool key="new" tool={null} />
  return (
    <Loaded query={tools}>
      {({ items }) => {
        const tool = items.find(({ id }) => String(id) === toolId)
        return tool ? <OneTool key={tool.id} tool={tool} /> : <MissingPage />
      }}
    </Loaded>
  )
}

function OneTool({ tool }: { tool: Tool | null }) {
  const { t } = useTranslation()
  return (
    <Page
      title={tool?.name ?? t('tools.add')}
      lead={t('tools.lead')}
      narrow
      actions={
        <>
          <Back to="/agents/$agentId/tools" label={t('pages.tools')} />
          {tool ? <Remove tool={tool} /> : null}
        </>
      }
    >
      <ToolForm tool={tool} />
      {tool ? <ToolTrial tool={tool} /> : null}
    </Page>
  )
}

function Remove({ tool }: { tool: Tool }) {
  const { t } = useTranslation()
  const { id, api, key } = useAgent()
  const navigate = useNavigate()
  const mayManage = useRight('manage')
  const [isAsked, asking] = useDisclosure(false)
  const removing = useAction({
    run: () => api.delete(`/tools/${tool.id}`),
    done: t('tools.removed', { name: tool.name }),
    refresh: [key('tools')],
    onDone: () => void navigate({ to: '/agents/$agentId/tools', params: { agentId: String(id) } }),
  })
  if (!mayManage) return null
  return (
    <>
      <Button variant="default" onClick={asking.open}>
        {t('common.delete')}
      </Button>
      {isAsked ? (
        <Confirm
          title={t('tools.removeTitle', { name: tool.name })}
          text={t('tools.removeText')}
          action={t('common.delete')}
          isBusy={removing.isPending}
          onConfirm={() => removing.mutate()}
          onClose={asking.close}
        />
      ) : null}
    </>
  )
}
