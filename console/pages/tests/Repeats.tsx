import { Button, Collapse, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import type { TestCaseResults, TestResult } from '../../api/types.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { Answer, Failures, Outcome } from './Answer.tsx'

/** The repeats of a case, with the conversation of a customer; loaded when they are opened. */
export function Repeats({ result }: { result: TestResult }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  if (result.ran === 0) return null
  const name = result.customer ? t('tests.conversation') : t('tests.allRepeats')
  if (!result.customer && result.ran === 1) return null
  return (
    <Stack gap="xs" mt={4}>
      <div>
        <Button
          variant="subtle"
          size="compact-sm"
          ml={-8}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? t('tests.hide') : name}
        </Button>
      </div>
      <Collapse expanded={isOpen}>
        {isOpen ? <Loading caseId={result.case_id} ran={result.ran} /> : null}
      </Collapse>
    </Stack>
  )
}

function Loading({ caseId, ran }: { caseId: number; ran: number }) {
  const { api, key } = useAgent()
  const { runId = '' } = useParams({ strict: false })
  const query = useQuery({
    queryKey: key('runs', runId, 'cases', `${caseId}`, `${ran}`),
    queryFn: async ({ signal }) => (await api.get(`/runs/${runId}/cases/${caseId}`, {}, signal)).data,
  })
  return (
    <Loaded query={query}>
      {({ repeats }) => (
        <Stack
          gap="md"
          pl="md"
          style={{ borderInlineStart: '2px solid var(--mantine-color-default-border)' }}
        >
          {repeats
            .filter(({ status }) => status !== 'waiting')
            .map((one) => (
              <OneRepeat key={one.repeat} one={one} isOnly={repeats.length === 1} />
            ))}
        </Stack>
      )}
    </Loaded>
  )
}

function OneRepeat({ one, isOnly }: { one: TestCaseResults['repeats'][number]; isOnly: boolean }) {
  const { t } = useTranslation()
  return (
    <Stack gap={4}>
      {isOnly ? null : (
        <Group gap="xs">
          <Text size="secondary" fw={500}>
            {t('tests.repeat', { number: one.repeat })}
          </Text>
          <Outcome status={one.status} />
        </Group>
      )}
      {one.dialogue && !isOnly ? <Failures failures={one.failures} /> : null}
      {one.dialogue ? (
        <Stack component="ol" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
          {one.dialogue.map((turn, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: turns have no other identity
            <Stack key={at} component="li" gap={4}>
              <Said by={t('tests.customer')} text={turn.customer} />
              <Said
                by={t('tests.roles.assistant')}
                text={turn.agent === '' ? t('tests.noResponse') : turn.agent}
                tools={turn.tools}
              />
            </Stack>
          ))}
        </Stack>
      ) : (
        <Answer result={one} />
      )}
    </Stack>
  )
}

function Said({ by, text, tools = [] }: { by: string; text: string; tools?: string[] }) {
  return (
    <div>
      <Text size="secondary" c="dimmed">
        {by}
        {tools.map((name, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: calls have no other identity
          <Text key={at} span ff="monospace" size="secondary" className="foreign">
            {' · '}
            {name}
          </Text>
        ))}
      </Text>
      <Text className="foreign" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {text}
      </Text>
    </div>
  )
}
