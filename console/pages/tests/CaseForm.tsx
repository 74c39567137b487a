import { Group, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import type { TestCase } from '../../api/types.ts'
import { Section } from '../../ui/Section.tsx'
import { SettingsForm } from '../../ui/SettingsForm.tsx'
import { useSeededForm } from '../../ui/use-seeded-form.ts'
import { CaseItems } from './CaseItems.tsx'
import { CustomerFields } from './CustomerFields.tsx'
import {
  areFacts,
  bodyOf,
  type CaseValues,
  isArguments,
  newExpectation,
  newMessage,
  newResult,
  newSays,
  roles,
  valuesOf,
  waysToAsk,
} from './case-values.ts'
import { ExpectationFields } from './ExpectationFields.tsx'

interface CaseFormProps {
  datasetId: string
  /** Null for a new one. */
  made: TestCase | null
  onMade: () => void
}

/** The form of a test case: the question, the expectations of the answer, and the results of tools. */
export function CaseForm({ datasetId, made, onMade }: CaseFormProps) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const { form, save } = useSeededForm(made, {
    valuesOf,
    bodyOf,
    send,
    validate: {
      facts: (lines, { asks }) => (asks !== 'model' || areFacts(lines) ? null : t('tests.noFacts')),
      tool_results: { arguments: (text) => (isArguments(text) ? null : t('tools.noSchema')) },
    },
  })
  async function send(body: ReturnType<typeof bodyOf>): Promise<TestCase> {
    const path = `/datasets/${Number(datasetId)}/cases` as const
    if (made) return (await api.patch(`${path}/${made.id}`, body)).data
    const { data } = await api.post(path, body)
    onMade()
    return data
  }
  return (
    <SettingsForm form={form} refresh={[key('datasets')]} save={save}>
      <Section title={t('tests.messages')} lead={t(`tests.askLeads.${form.values.asks}`)}>
        <Asking form={form} />
      </Section>
      <Section title={t('tests.expected')} lead={t('tests.expectedLead')}>
        <Expectations form={form} />
      </Section>
      <Section title={t('tests.toolResults')} lead={t('tests.toolResultsLead')}>
        <ToolResults form={form} />
      </Section>
    </SettingsForm>
  )
}

interface Part {
  form: UseFormReturnType<CaseValues>
}

/** The way in which the case asks, and its words. */
function Asking({ form }: Part) {
  const { t } = useTranslation()
  const { asks } = form.values
  return (
    <>
      <NativeSelect
        label={t('tests.ask')}
        data={waysToAsk.map((way) => ({ value: way, label: t(`tests.asks.${way}`) }))}
        {...form.getInputProps('asks')}
      />
      {asks === 'messages' ? <Messages form={form} /> : <CustomerFields form={form} />}
      {asks === 'says' ? <Says form={form} /> : null}
    </>
  )
}

/** The messages of a conversation, as they stand. */
function Messages({ form }: Part) {
  const { t } = useTranslation()
  return (
    <CaseItems form={form} list="messages" added={newMessage} label={t('tests.addMessage')} least={1}>
      {(at, removal) => (
        <Stack gap={4} role="group" aria-label={t('tests.message', { number: at + 1 })}>
          <Group justify="space-between" align="flex-end">
            <NativeSelect
              label={t('tests.role')}
              data={roles.map((role) => ({ value: role, label: t(`tests.roles.${role}`) }))}
              {...form.getInputProps(`messages.${at}.role`)}
            />
            {removal}
          </Group>
          <Textarea
            aria-label={t('tests.text')}
            autosize
            minRows={2}
            {...form.getInputProps(`messages.${at}.content`)}
          />
        </Stack>
      )}
    </CaseItems>
  )
}

/** The messages of a customer, one after each answer. */
function Says({ form }: Part) {
  const { t } = useTranslation()
  return (
    <CaseItems form={form} list="says" added={newSays} label={t('tests.addMessage')} least={1} most={10}>
      {(at, removal) => (
        <Stack gap={4} role="group" aria-label={t('tests.message', { number: at + 1 })}>
          <Textarea
            label={t('tests.message', { number: at + 1 })}
            autosize
            minRows={2}
            {...form.getInputProps(`says.${at}.text`)}
          />
          {removal ? <Group justify="flex-end">{removal}</Group> : null}
        </Stack>
      )}
    </CaseItems>
  )
}

function Expectations({ form }: Part) {
  const { t } = useTranslation()
  return (
    <CaseItems form={form} list="expectations" added={newExpectation} label={t('tests.addExpectation')}>
      {(at, removal) => (
        <Group gap="xs" align="flex-end" role="group" aria-label={t('tests.expectation', { number: at + 1 })}>
          <ExpectationFields form={form} at={at} />
          {removal}
        </Group>
      )}
    </CaseItems>
  )
}

/** The results of tools, which are not called. */
function ToolResults({ form }: Part) {
  const { t } = useTranslation()
  return (
    <CaseItems form={form} list="tool_results" added={newResult} label={t('tests.addToolResult')}>
      {(at, removal) => (
        <Stack gap="xs" role="group" aria-label={t('tests.toolResult', { number: at + 1 })}>
          <Group gap="xs" align="flex-end">
            <TextInput
              label={t('tests.tool')}
              placeholder="find_order"
              flex="1 1 160px"
              {...form.getInputProps(`tool_results.${at}.name`)}
            />
            <TextInput
              label={t('tests.arguments')}
              placeholder='{"number": "104233"}'
              flex="2 1 240px"
              {...form.getInputProps(`tool_results.${at}.arguments`)}
            />
            {removal}
          </Group>
          <Textarea
            label={t('tests.result')}
            autosize
            minRows={2}
            {...form.getInputProps(`tool_results.${at}.result`)}
          />
        </Stack>
      )}
    </CaseItems>
  )
}
