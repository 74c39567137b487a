import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import type { AutomationPreview } from '../../api/types.ts'
import { joined } from '../../ui/isolated.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { Mark } from '../../ui/Mark.tsx'
import { Section } from '../../ui/Section.tsx'
import { relativeTime } from '../../ui/Time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { Foreseen } from '../macros/Foreseen.tsx'
import { HeldCondition } from './conditions/HeldCondition.tsx'

/** Says what an automation would do in the conversation of a recent question, without doing it. */
export function AutomationTrial({ ruleId }: { ruleId: number }) {
  const { t, i18n } = useTranslation()
  const { api, key } = useAgent()
  const [chosen, setChosen] = useState('')
  const recent = useQuery({
    queryKey: key('rules', 'recent'),
    queryFn: async () => (await api.get('/chat/completions', { per_page: 20 })).data,
  })
  const trying = useAction({
    run: async (conversationId: string) =>
      (await api.get(`/conversations/${conversationId}/automations/${ruleId}`)).data,
  })
  return (
    <Section title={t('rules.try')} lead={t('rules.tryAutomationLead')}>
      <Loaded query={recent}>
        {(completions) => {
          const first = [
            ...new Map(completions.toReversed().map((one) => [one.conversation_id, one])).values(),
          ]
          const conversations = first.toReversed()
          if (conversations.length === 0) return <Text c="dimmed">{t('rules.nothingRecent')}</Text>
          return (
            <form
              onSubmit={(event) => {
                event.preventDefault()
                const id = chosen || conversations[0]?.conversation_id
                if (id) trying.mutate(id)
              }}
            >
              <Group gap="xs" align="flex-end">
                <NativeSelect
                  label={t('rules.recentConversation')}
                  flex="1 1 240px"
                  value={chosen}
                  onChange={(event) => setChosen(event.currentTarget.value)}
                  data={conversations.map(({ conversation_id, prompt, created_at }) => ({
                    value: conversation_id,
                    label: joined([(prompt ?? '').slice(0, 80), relativeTime(created_at, i18n.language)]),
                  }))}
                />
                <Button type="submit" variant="default" loading={trying.isPending}>
                  {t('rules.tryAutomation')}
                </Button>
              </Group>
            </form>
          )
        }}
      </Loaded>
      {trying.data ? <Preview preview={trying.data} /> : null}
    </Section>
  )
}

function Preview({ preview: { condition, actions } }: { preview: AutomationPreview }) {
  const { t } = useTranslation()
  const acts = condition ? condition.held : true
  return (
    <Stack gap="xs" role="status">
      <Group>
        <Mark tone={acts ? 'green' : 'grey'}>
          {acts === null ? t('playground.unsure') : t(`rules.wouldAct.${acts}`)}
        </Mark>
      </Group>
      {condition ? <HeldCondition condition={condition} /> : null}
      {acts === false ? null : (
        <Stack component="ol" gap={4} m={0} pl="lg">
          {actions.map((step, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: actions have no identity but their place
            <li key={index}>
              {t(`rules.actionTypes.${step.type}`)}
              <Foreseen step={step} isForGood />
            </li>
          ))}
        </Stack>
      )}
    </Stack>
  )
}
