import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../api/session.ts'
import type { Tool } from '../../api/types.ts'
import { useList } from '../../api/use-list.ts'
import { Empty } from '../../ui/Empty.tsx'
import { PlusIcon, ToolIcon } from '../../ui/icons.tsx'
import { ListRows } from '../../ui/ListRows.tsx'
import { Mark } from '../../ui/Mark.tsx'
import { Page } from '../../ui/Page.tsx'
import { Row } from '../../ui/Rows.tsx'

/** The tools that the agent's model may call. */
export function ToolsPage() {
  const { t } = useTranslation()
  const { id, api, key } = useAgent()
  const mayManage = useRight('manage')
  const tools = useList(key('tools'), api, '/tools')
  const linkTo = (toolId: string) =>
    ({ to: '/agents/$agentId/tools/$toolId', params: { agentId: String(id), toolId } }) as const
  const add = mayManage ? (
    <Button leftSection={<PlusIcon />} renderRoot={(props) => <Link {...linkTo('new')} {...props} />}>
      {t('tools.add')}
    </Button>
  ) : null
  return (
    <Page title={t('pages.tools')} lead={t('tools.lead')} narrow actions={add}>
      <ListRows
        label={t('pages.tools')}
        query={tools}
        empty={<Empty icon={ToolIcon} title={t('tools.empty')} text={t('tools.emptyText')} action={add} />}
      >
        {(tool) => (
          <Row
            key={tool.id}
            title={tool.name}
            link={linkTo(String(tool.id))}
            marks={
              <Mark tone={tool.active ? 'green' : 'grey'}>
                {t(tool.active ? 'tools.isOn' : 'tools.isOff')}
              </Mark>
            }
            about={aboutOf(tool)}
          />
        )}
      </ListRows>
    </Page>
  )
}

function aboutOf(tool: Tool): string {
  switch (tool.kind) {
    case 'http':
      return `${tool.method} ${tool.url}`
    case 'mcp':
      return `MCP ${tool.url}`
  }
}
