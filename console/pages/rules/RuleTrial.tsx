import { Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Api } from '../../api/client.ts'
import { useAgent } from '../../api/session.ts'
import type { Completion, Message, Trace } from '../../api/types.ts'
import { Mark } from '../../ui/Mark.tsx'
import { useAction } from '../../ui/use-action.ts'
import { HeldCondition } from './conditions/HeldCondition.tsx'
import { EvaluationLine } from './EvaluationLine.tsx'
import { type ActingKind, singular } from './kinds.ts'
import { TryForm } from './TryForm.tsx'

/** Asks a recent question again without effects, and shows which of the rule's conditions held. */
export function RuleTrial({ kind, ruleId }: { kind: ActingKind; ruleId: number }) {
  const { t } = useTranslation()
  const { api } = useAgent()
  const trying = useAction({
    run: async (completion: Completion) => {
      const body = await asTried(api, completion)
      return (await api.post('/playground', body)).data.trace
    },
  })
  return (
    <TryForm
      lead={t('rules.tryRuleLead')}
      choose={t('rules.recent')}
      button={t('rules.tryRule')}
      isBusy={trying.isPending}
      onTry={trying.mutate}
    >
      {trying.data ? <Verdict trace={trying.data} kind={kind} ruleId={ruleId} /> : null}
    </TryForm>
  )
}

function Verdict({ trace, kind, ruleId }: { trace: Trace; kind: ActingKind; ruleId: number }) {
  const { t } = useTranslation()
  const rule = trace.rules.find(({ id, kind: of }) => id === ruleId && of === singular[kind])
  if (!rule) return <Text role="status">{t('rules.isOff')}</Text>
  const { acted, condition, evaluator_id } = rule
  return (
    <Stack gap="xs" role="status">
      <Group>
        <Mark tone={acted ? 'green' : 'grey'}>
          {acted === null ? t('playground.unsure') : t(`rules.wouldAct.${acted}`)}
        </Mark>
      </Group>
      {condition ? <HeldCondition condition={condition} /> : null}
      {trace.evaluations
        .filter(({ evaluator }) => evaluator.id === evaluator_id)
        .map((evaluation) => (
          <EvaluationLine key={evaluation.subject} evaluation={evaluation} />
        ))}
    </Stack>
  )
}

const roles: Partial<Record<Message['role'], 'user' | 'assistant'>> = {
  user: 'user',
  assistant: 'assistant',
  operator: 'assistant',
}
const MOST_MESSAGES = 50

/** Returns a prompt as it was asked: with the messages before it, its page and its tags. */
async function asTried(api: Api, { conversation_id, messages, prompt, page_url }: Completion) {
  const path = `/conversations/${conversation_id}` as const
  const [{ data }, conversation] = await Promise.all([
    api.get(`${path}/messages`, { order: 'desc', per_page: MOST_MESSAGES }),
    api.get(path),
  ])
  const first = Math.min(...messages.map(({ id }) => id))
  const before = data
    .filter(({ id }) => id < first)
    .toReversed()
    .flatMap(({ role, content }) => {
      const as = roles[role]
      const parts = typeof content === 'string' ? [{ text: content }] : (content ?? [])
      const text = parts.flatMap((part) => ('text' in part ? String(part.text) : [])).join('\n')
      return as && text ? [{ role: as, content: text }] : []
    })
  return {
    messages: [...before, { role: 'user' as const, content: prompt ?? '' }],
    tags: conversation.data.tags ?? {},
    ...(page_url ? { page_url } : {}),
  }
}
