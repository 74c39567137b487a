import { Group, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import type { AutomationPreview, Completion } from '../../api/types.ts'
import { Mark } from '../../ui/Mark.tsx'
import { useAction } from '../../ui/use-action.ts'
import { Foreseen } from '../macros/Foreseen.tsx'
import { HeldCondition } from './conditions/HeldCondition.tsx'
import { TryForm } from './TryForm.tsx'

/** Says what an automation would do in the conversation of a recent question, without doing it. */
export function AutomationTrial({ ruleId }: { ruleId: number }) {
  const { t } = useTranslation()
  const { api } = useAgent()
  const trying = useAction({
    run: async ({ conversation_id }: Completion) =>
      (await api.get(`/conversations/${conversation_id}/automations/${ruleId}`)).data,
  })
  return (
    <TryForm
      lead={t('rules.tryAutomationLead')}
      choose={t('rules.recentConversation')}
      button={t('rules.tryAutomation')}
      among={oneOfEach}
      isBusy={trying.isPending}
      onTry={trying.mutate}
    >
      {trying.data ? <Preview preview={trying.data} /> : null}
    </TryForm>
  )
}

/** Returns the latest completion of each conversation. @param recent the latest first */
function oneOfEach(recent: readonly Completion[]): Completion[] {
  return recent.filter(
    ({ conversation_id: id }, at) => recent.findIndex((one) => one.conversation_id === id) === at,
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
