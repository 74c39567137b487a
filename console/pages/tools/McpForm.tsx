import { Switch, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import type { McpTool } from '../../api/types.ts'
import { Section } from '../../ui/Section.tsx'
import { SettingsForm } from '../../ui/SettingsForm.tsx'
import { useSeededForm } from '../../ui/use-seeded-form.ts'
import { AllowedTools } from './AllowedTools.tsx'
import { HeaderFields } from './HeaderFields.tsx'
import { type HeaderValues, headersOf, headerValuesOf } from './header-values.ts'
import { RequiresField } from './RequiresField.tsx'

interface McpValues extends HeaderValues, Record<string, unknown> {
  name: string
  url: string
  allow: string[] | null
  requires: McpTool['requires']
  restore: boolean
  active: boolean
}

function valuesOf(tool: McpTool | null): McpValues {
  return {
    name: tool?.name ?? '',
    url: tool?.url ?? '',
    allow: tool?.allow ?? null,
    requires: tool?.requires ?? 'none',
    restore: tool?.restore ?? true,
    active: tool?.active ?? true,
    ...headerValuesOf(tool),
  }
}

function bodyOf({ stored, added, ...values }: McpValues) {
  return { ...values, headers: headersOf({ stored, added }) }
}

/** The form of an MCP server, with the tools that the model may call. @param tool null for a new one */
export function McpForm({ tool }: { tool: McpTool | null }) {
  const { t } = useTranslation()
  const { id: agentId, api, key } = useAgent()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { form, save } = useSeededForm(tool, { valuesOf, bodyOf, send })

  async function send(body: ReturnType<typeof bodyOf>): Promise<McpTool> {
    if (tool) return (await api.patch(`/tools/${tool.id}`, body)).data as McpTool
    const { data } = await api.post('/tools', { kind: 'mcp', ...body })
    // The tool's page reads it from the list.
    await queries.invalidateQueries({ queryKey: key('tools') })
    const params = { agentId: String(agentId), toolId: String(data.id) }
    await navigate({ to: '/agents/$agentId/tools/$toolId', params })
    return data as McpTool
  }

  return (
    <SettingsForm form={form} refresh={[key('tools')]} save={save}>
      <Section title={t('tools.server')}>
        <TextInput
          label={t('tools.name')}
          description={t('tools.serverNameHint')}
          placeholder="shop"
          {...form.getInputProps('name')}
        />
        <TextInput
          label={t('tools.url')}
          description={t('tools.serverUrlHint')}
          placeholder="https://mcp.example.com/mcp"
          {...form.getInputProps('url')}
        />
        <RequiresField isNew={false} {...form.getInputProps('requires')} />
        <Switch
          label={t('tools.restore')}
          description={t('tools.restoreHint')}
          {...form.getInputProps('restore', { type: 'checkbox' })}
        />
        <Switch label={t('tools.serverActive')} {...form.getInputProps('active', { type: 'checkbox' })} />
      </Section>
      <HeaderFields values={form.values} onChange={(headers) => form.setValues(headers)} tool={tool} />
      {tool ? (
        <AllowedTools
          tool={tool}
          allow={form.values.allow}
          onChange={(allow) => form.setFieldValue('allow', allow)}
        />
      ) : null}
    </SettingsForm>
  )
}
