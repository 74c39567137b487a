import { NativeSelect, Switch, Textarea, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import type { HttpTool } from '../../api/types.ts'
import { Section } from '../../ui/Section.tsx'
import { SettingsForm } from '../../ui/SettingsForm.tsx'
import { useSeededForm } from '../../ui/use-seeded-form.ts'
import { HeaderFields } from './HeaderFields.tsx'
import { RequiresField } from './RequiresField.tsx'
import { bodyOf, isJsonObject, valuesOf } from './tool-values.ts'

const METHODS: HttpTool['method'][] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

// These are plain fields: one that reformats its text when it is left would move the button that is being clicked.
const CODE = { input: { fontFamily: 'var(--mantine-font-family-monospace)' } }

/** The form of an HTTP tool. @param tool null for a new one */
export function ToolForm({ tool }: { tool: HttpTool | null }) {
  const { t } = useTranslation()
  const { id: agentId, api, key } = useAgent()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const { form, save } = useSeededForm(tool, {
    valuesOf,
    bodyOf,
    send,
    validate: { parameters: (text) => (isJsonObject(text) ? null : t('tools.noSchema')) },
  })

  async function send(body: ReturnType<typeof bodyOf>): Promise<HttpTool> {
    if (tool) return (await api.patch(`/tools/${tool.id}`, body)).data as HttpTool
    const { data } = await api.post('/tools', { kind: 'http', ...body })
    // The tool's page reads it from the list.
    await queries.invalidateQueries({ queryKey: key('tools') })
    const params = { agentId: String(agentId), toolId: String(data.id) }
    await navigate({ to: '/agents/$agentId/tools/$toolId', params })
    return data as HttpTool
  }

  function choose(method: HttpTool['method']): void {
    form.setFieldValue('method', method)
    // HTTP defines this for its methods; the person can change it.
    form.setFieldValue('idempotent', method === 'GET')
  }

  return (
    <SettingsForm form={form} refresh={[key('tools')]} save={save}>
      <Section title={t('tools.what')}>
        <TextInput
          label={t('tools.name')}
          description={t('tools.nameHint')}
          placeholder="find_order"
          {...form.getInputProps('name')}
        />
        <Textarea
          label={t('tools.description')}
          description={t('tools.descriptionHint')}
          autosize
          minRows={2}
          {...form.getInputProps('description')}
        />
        <Textarea
          label={t('tools.parameters')}
          description={t('tools.parametersHint')}
          autosize
          minRows={5}
          styles={CODE}
          {...form.getInputProps('parameters')}
        />
        <Switch label={t('tools.active')} {...form.getInputProps('active', { type: 'checkbox' })} />
      </Section>
      <Section title={t('tools.call')}>
        <NativeSelect
          label={t('tools.method')}
          data={METHODS}
          w={140}
          {...form.getInputProps('method')}
          onChange={(event) => choose(event.currentTarget.value as HttpTool['method'])}
        />
        <TextInput
          label={t('tools.url')}
          description={t('tools.urlHint')}
          placeholder="https://shop.example.com/orders/{number}"
          {...form.getInputProps('url')}
        />
        {form.values.method === 'GET' ? null : (
          <Textarea
            label={t('tools.body')}
            description={t('tools.bodyHint')}
            autosize
            minRows={3}
            styles={CODE}
            {...form.getInputProps('body')}
          />
        )}
        <Switch
          label={t('tools.idempotent')}
          description={t('tools.idempotentHint')}
          {...form.getInputProps('idempotent', { type: 'checkbox' })}
        />
        <Switch
          label={t('tools.restore')}
          description={t('tools.restoreHint')}
          {...form.getInputProps('restore', { type: 'checkbox' })}
        />
        <RequiresField isNew={tool === null} {...form.getInputProps('requires')} />
      </Section>
      <HeaderFields values={form.values} onChange={(headers) => form.setValues(headers)} tool={tool} />
    </SettingsForm>
  )
}
