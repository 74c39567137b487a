import { SegmentedControl } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type ReactElement, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import type { Tool } from '../../api/types.ts'
import { useList } from '../../api/use-list.ts'
import { Back } from '../../ui/Back.tsx'
import { Delete } from '../../ui/Delete.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { MissingPage } from '../../ui/MissingPage.tsx'
import { Page } from '../../ui/Page.tsx'
import { McpForm } from './McpForm.tsx'
import { McpTrial } from './McpTrial.tsx'
import { ToolForm } from './ToolForm.tsx'
import { ToolTrial } from './ToolTrial.tsx'

/** The page of one tool, or of a new one. */
export function ToolPage() {
  const { api, key } = useAgent()
  const { toolId = '' } = useParams({ strict: false })
  // All of an agent's tools fit in one page of the list.
  const tools = useList(key('tools'), api, '/tools', { per_page: 100 })
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
      {tool ? <StoredTool tool={tool} /> : <NewTool />}
    </Page>
  )
}

type Kind = Tool['kind']

const NEW: Record<Kind, () => ReactElement> = {
  http: () => <ToolForm tool={null} />,
  mcp: () => <McpForm tool={null} />,
}

function NewTool() {
  const { t } = useTranslation()
  const [kind, setKind] = useState<Kind>('http')
  const Form = NEW[kind]
  return (
    <>
      <SegmentedControl
        aria-label={t('tools.kind')}
        w="fit-content"
        value={kind}
        onChange={(value) => setKind(value as Kind)}
        data={(Object.keys(NEW) as Kind[]).map((value) => ({ value, label: t(`tools.kinds.${value}`) }))}
      />
      <Form />
    </>
  )
}

function StoredTool({ tool }: { tool: Tool }): ReactElement {
  switch (tool.kind) {
    case 'http':
      return (
        <>
          <ToolForm tool={tool} />
          <ToolTrial toolId={tool.id} parameters={tool.parameters} asksUser={tool.requires !== 'none'} />
        </>
      )
    case 'mcp':
      return (
        <>
          <McpForm tool={tool} />
          <McpTrial tool={tool} />
        </>
      )
  }
}

function Remove({ tool: { id: toolId, name } }: { tool: Tool }) {
  const { t } = useTranslation()
  const { id, key } = useAgent()
  const navigate = useNavigate()
  return (
    <Delete
      path={`/tools/${toolId}`}
      title={t('tools.removeTitle', { name })}
      text={t('tools.removeText')}
      refresh={[key('tools')]}
      done={t('tools.removed', { name })}
      onDone={() => void navigate({ to: '/agents/$agentId/tools', params: { agentId: String(id) } })}
    />
  )
}
