import { Button, Group, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../api/session.ts'
import type { TestCase } from '../../api/types.ts'
import { PlusIcon, TrashIcon } from '../../ui/icons.tsx'
import { Section } from '../../ui/Section.tsx'
import { SettingsForm } from '../../ui/SettingsForm.tsx'
import { useSeededForm } from '../../ui/use-seeded-form.ts'
import { CustomerFields } from './CustomerFields.tsx'
import {
  areFacts,
  bodyOf,
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

type List = 'messages' | 'says' | 'expectations' | 'tool_results'

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
  const { asks, messages, says, expectations, tool_results } = form.values

  async function send(body: object): Promise<TestCase> {
    const path = `/datasets/${Number(datasetId)}/cases` as const
    if (made) return (await api.patch(`${path}/${made.id}`, body)).data
    const { data } = await api.post(path, body)
    onMade()
    return data
  }
  const removal = (list: List, at: number) => (
    <Button
      variant="subtle"
      color="gray"
      leftSection={<TrashIcon />}
      onClick={() => form.removeListItem(list, at)}
    >
      {t('common.remove')}
    </Button>
  )
  const addition = (
    list: List,
    item: typeof newMessage | typeof newSays | typeof newExpectation | typeof newResult,
    label: string,
  ) => (
    <Group>
      <Button variant="default" leftSection={<PlusIcon />} onClick={() => form.insertListItem(list, item)}>
        {label}
      </Button>
    </Group>
  )
  return (
    <SettingsForm form={form} isReadOnly={!useRight('manage')} refresh={[key('datasets')]} save={save}>
      <Section title={t('tests.messages')} lead={t(`tests.askLeads.${asks}`)}>
        <NativeSelect
          label={t('tests.ask')}
          data={waysToAsk.map((way) => ({ value: way, label: t(`tests.asks.${way}`) }))}
          {...form.getInputProps('asks')}
        />
        {asks === 'messages' ? (
          <>
            {messages.map((_, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: fields have no other identity
              <Stack key={at} gap={4} role="group" aria-label={t('tests.message', { number: at + 1 })}>
                <Group justify="space-between" align="flex-end">
                  <NativeSelect
                    label={t('tests.role')}
                    data={roles.map((role) => ({ value: role, label: t(`tests.roles.${role}`) }))}
                    {...form.getInputProps(`messages.${at}.role`)}
                  />
                  {messages.length > 1 ? removal('messages', at) : null}
                </Group>
                <Textarea
                  aria-label={t('tests.text')}
                  autosize
                  minRows={2}
                  {...form.getInputProps(`messages.${at}.content`)}
                />
              </Stack>
            ))}
            {addition('messages', newMessage, t('tests.addMessage'))}
          </>
        ) : (
          <CustomerFields form={form} />
        )}
        {asks === 'says' ? (
          <>
            {says.map((_, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: fields have no other identity
              <Stack key={at} gap={4} role="group" aria-label={t('tests.message', { number: at + 1 })}>
                <Textarea
                  label={t('tests.message', { number: at + 1 })}
                  autosize
                  minRows={2}
                  {...form.getInputProps(`says.${at}.text`)}
                />
                {says.length > 1 ? <Group justify="flex-end">{removal('says', at)}</Group> : null}
              </Stack>
            ))}
            {says.length < 10 ? addition('says', newSays, t('tests.addMessage')) : null}
          </>
        ) : null}
      </Section>
      <Section title={t('tests.expected')} lead={t('tests.expectedLead')}>
        {expectations.map((_, at) => (
          <Group
            // biome-ignore lint/suspicious/noArrayIndexKey: fields have no other identity
            key={at}
            gap="xs"
            align="flex-end"
            role="group"
            aria-label={t('tests.expectation', { number: at + 1 })}
          >
            <ExpectationFields form={form} at={at} />
            {removal('expectations', at)}
          </Group>
        ))}
        {addition('expectations', newExpectation, t('tests.addExpectation'))}
      </Section>
      <Section title={t('tests.toolResults')} lead={t('tests.toolResultsLead')}>
        {tool_results.map((_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: fields have no other identity
          <Stack key={at} gap="xs" role="group" aria-label={t('tests.toolResult', { number: at + 1 })}>
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
              {removal('tool_results', at)}
            </Group>
            <Textarea
              label={t('tests.result')}
              autosize
              minRows={2}
              {...form.getInputProps(`tool_results.${at}.result`)}
            />
          </Stack>
        ))}
        {addition('tool_results', newResult, t('tests.addToolResult'))}
      </Section>
    </SettingsForm>
  )
}
