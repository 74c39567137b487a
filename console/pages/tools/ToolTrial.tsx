import { Button, Code, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../api/session.ts'
import { Form } from '../../ui/Form.tsx'
import { Mark } from '../../ui/Mark.tsx'
import { Section } from '../../ui/Section.tsx'
import { useAction } from '../../ui/use-action.ts'
import { isJsonObject } from './tool-values.ts'

const TONES = { ok: 'green', failed: 'red', unknown: 'amber' } as const

interface ToolTrialProps {
  toolId: number
  /** The JSON Schema of the arguments. */
  parameters: Record<string, unknown>
  /** True if the call contains a user's id. */
  asksUser?: boolean
  /** The name of the server's tool that is called. */
  called?: string
  /** The field in which the tool is chosen. */
  choice?: ReactNode
}

/** Calls a tool as the model would. Nothing is stored, but the call is real. */
export function ToolTrial({ toolId, parameters, asksUser = false, called, choice }: ToolTrialProps) {
  const { t } = useTranslation()
  const { api } = useAgent()
  const [args, setArgs] = useState(() => exampleOf(parameters))
  const [user, setUser] = useState('')
  const trying = useAction({
    run: () =>
      api.post(`/tools/${toolId}/try`, {
        ...(called === undefined ? {} : { tool: called }),
        arguments: JSON.parse(args),
        user_id: user.trim() || null,
      }),
  })
  const tried = trying.data?.data
  if (!useRight('manage')) return null
  return (
    <Section title={t('tools.try')} lead={t('tools.tryLead')}>
      <Form onSubmit={() => trying.mutate()}>
        <Stack gap="sm">
          {choice}
          <Textarea
            label={t('tools.arguments')}
            autosize
            minRows={2}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
            value={args}
            onChange={(event) => setArgs(event.currentTarget.value)}
          />
          {asksUser ? (
            <TextInput
              label={t('tools.user')}
              value={user}
              onChange={(event) => setUser(event.currentTarget.value)}
            />
          ) : null}
          <Group>
            <Button type="submit" variant="default" loading={trying.isPending} disabled={!isJsonObject(args)}>
              {t('tools.tryAction')}
            </Button>
          </Group>
        </Stack>
      </Form>
      {tried ? (
        <Stack gap="xs" role="status">
          <Group gap="xs">
            <Mark tone={TONES[tried.status]}>{t(`tools.outcomes.${tried.status}`)}</Mark>
            <Text c="dimmed" size="secondary" className="numbers">
              {t('tools.took', { ms: Math.round(tried.duration_ms) })}
            </Text>
          </Group>
          <Code block className="foreign" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
            {tried.result || t('tools.noResult')}
          </Code>
        </Stack>
      ) : null}
    </Section>
  )
}

/** Returns arguments to begin with: the required ones, empty. */
function exampleOf({ required }: Record<string, unknown>): string {
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : []
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, ''])), null, 2)
}
