import { Anchor, Button, NativeSelect, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../api/session.ts'
import type { UnansweredQuestion } from '../../api/types.ts'
import { useList } from '../../api/use-list.ts'
import { ListRows } from '../../ui/ListRows.tsx'
import { Mark } from '../../ui/Mark.tsx'
import { Row } from '../../ui/Rows.tsx'
import { Section } from '../../ui/Section.tsx'
import { Time } from '../../ui/Time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { ConversationLink } from '../rules/ConversationLink.tsx'
import { DocumentForm } from './DocumentForm.tsx'

const reasons = ['unknown', 'no_passage', 'uncited', 'disliked', 'handed_off'] as const

/** The questions to which the agent had no good answer; each can become an entry. */
export function Unanswered() {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const [reason, setReason] = useState('')
  const questions = useList(key('knowledge', 'unanswered'), api, '/knowledge/unanswered', {
    per_page: 10,
    ...(reason ? { reason } : {}),
  })
  const isEmpty = questions.data?.items.length === 0
  return (
    <Section title={t('knowledge.unanswered')} lead={t('knowledge.unansweredLead')}>
      {isEmpty && reason === '' ? null : (
        <NativeSelect
          label={t('knowledge.gapReason')}
          maw={360}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          data={[
            { value: '', label: t('knowledge.anyGap') },
            ...reasons.map((value) => ({ value, label: t(`knowledge.gaps.${value}`) })),
          ]}
        />
      )}
      <ListRows
        label={t('knowledge.unanswered')}
        query={questions}
        empty={<Text c="dimmed">{t(reason ? 'knowledge.noneOfThese' : 'knowledge.noUnanswered')}</Text>}
      >
        {(question) => <QuestionRow key={question.id} question={question} />}
      </ListRows>
    </Section>
  )
}

function QuestionRow({ question: asked }: { question: UnansweredQuestion }) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const mayManage = useRight('manage')
  const [isAnswering, setAnswering] = useState(false)
  const { id, question, count, reasons, last_asked_at, conversation_id } = asked
  const dismissing = useAction({
    run: () => api.delete(`/knowledge/unanswered/${id}`),
    refresh: [key('knowledge', 'unanswered')],
  })
  return (
    <Row
      title={question ?? t('knowledge.textGone')}
      marks={
        <>
          <Mark tone="grey">{t('knowledge.asked', { count })}</Mark>
          {reasons.map(({ reason, count: times }) => (
            <Mark key={reason} tone={reason === 'disliked' ? 'red' : 'grey'}>
              {t(`knowledge.gaps.${reason}`)}
              {times < count ? ` (${times})` : null}
            </Mark>
          ))}
        </>
      }
      about={
        <>
          <Time at={last_asked_at} /> · <ConversationLink id={conversation_id} />
        </>
      }
      actions={
        <>
          <ProposeFromGroup question={asked} />
          {mayManage && hasWords(question) ? (
            <Button variant="default" onClick={() => setAnswering(true)}>
              {t('knowledge.answerIt')}
            </Button>
          ) : null}
          {mayManage ? (
            <Button
              variant="subtle"
              color="gray"
              loading={dismissing.isPending}
              onClick={() => dismissing.mutate()}
            >
              {t('knowledge.dismiss')}
            </Button>
          ) : null}
        </>
      }
    >
      <OtherWordings question={asked} />
      {isAnswering ? (
        <DocumentForm
          question={question ?? ''}
          onAdded={() => dismissing.mutate()}
          onClose={() => setAnswering(false)}
        />
      ) : null}
    </Row>
  )
}

/** Proposes an entry from the latest conversation of a group that a person took over. */
function ProposeFromGroup({ question: { examples } }: { question: UnansweredQuestion }) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const mayRespond = useRight('respond')
  const handedOff = examples.find(({ reasons }) => reasons.includes('handed_off'))
  const proposing = useAction({
    run: () => api.post('/knowledge/proposals', { completion_id: handedOff?.completion_id }),
    refresh: [key('knowledge', 'proposals')],
    done: t('knowledge.proposed'),
  })
  if (!mayRespond || !handedOff) return null
  return (
    <Button variant="default" loading={proposing.isPending} onClick={() => proposing.mutate()}>
      {t('knowledge.propose')}
    </Button>
  )
}

/** The other wordings in which the question was asked, each with its conversation. */
function OtherWordings({ question: { question, examples } }: { question: UnansweredQuestion }) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const others = new Map(
    examples.flatMap((example) =>
      example.question === null || example.question === question ? [] : [[example.question, example]],
    ),
  )
  if (others.size === 0) return null
  return (
    <Stack gap={4} align="flex-start">
      <Anchor
        component="button"
        type="button"
        size="secondary"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {t('knowledge.otherWordings', { count: others.size })}
      </Anchor>
      {isOpen
        ? [...others].map(([wording, { conversation_id }]) => (
            <Text key={wording} size="secondary" className="foreign">
              {wording} · <ConversationLink id={conversation_id} />
            </Text>
          ))
        : null}
    </Stack>
  )
}

/** Tells whether redaction has left a word of a question. */
function hasWords(question: string | null): boolean {
  return /[\p{L}\p{N}]/u.test(question?.replace(/\[[A-Z][A-Z0-9_]*\]/g, '') ?? '')
}
