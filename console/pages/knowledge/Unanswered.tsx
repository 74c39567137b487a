import { Anchor, Button, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../api/session.ts'
import type { UnansweredQuestion } from '../../api/types.ts'
import { useList } from '../../api/use-list.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { Mark } from '../../ui/Mark.tsx'
import { NextPage } from '../../ui/NextPage.tsx'
import { Row, Rows } from '../../ui/Rows.tsx'
import { Section } from '../../ui/Section.tsx'
import { Time } from '../../ui/Time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { DocumentForm } from './DocumentForm.tsx'

/** The questions to which the agent had no answer; each can become an entry. */
export function Unanswered() {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const questions = useList<UnansweredQuestion>(
    key('knowledge', 'unanswered'),
    api,
    '/knowledge/unanswered',
    {
      per_page: 10,
    },
  )
  return (
    <Section title={t('knowledge.unanswered')} lead={t('knowledge.unansweredLead')}>
      <Loaded query={questions}>
        {({ items }) =>
          items.length === 0 ? (
            <Text c="dimmed">{t('knowledge.noUnanswered')}</Text>
          ) : (
            <Rows label={t('knowledge.unanswered')}>
              {items.map((question) => (
                <QuestionRow key={question.id} question={question} />
              ))}
            </Rows>
          )
        }
      </Loaded>
      <NextPage query={questions} />
    </Section>
  )
}

function QuestionRow({ question: asked }: { question: UnansweredQuestion }) {
  const { t } = useTranslation()
  const { id: agentId, api, key } = useAgent()
  const mayManage = useRight('manage')
  const [isAnswering, setAnswering] = useState(false)
  const { id, question, count, last_asked_at, conversation_id } = asked
  const dismissing = useAction({
    run: () => api.delete(`/knowledge/unanswered/${id}`),
    refresh: [key('knowledge', 'unanswered')],
  })
  return (
    <Row
      title={question ?? t('knowledge.textGone')}
      marks={<Mark tone="grey">{t('knowledge.asked', { count })}</Mark>}
      about={
        <>
          <Time at={last_asked_at} /> ·{' '}
          <Anchor
            size="secondary"
            renderRoot={(props) => (
              <Link
                to="/agents/$agentId/inbox/$conversationId"
                params={{ agentId: String(agentId), conversationId: conversation_id }}
                {...props}
              />
            )}
          >
            {t('rules.conversation')}
          </Anchor>
        </>
      }
      actions={
        mayManage ? (
          <>
            {hasWords(question) ? (
              <Button variant="default" onClick={() => setAnswering(true)}>
                {t('knowledge.answerIt')}
              </Button>
            ) : null}
            <Button
              variant="subtle"
              color="gray"
              loading={dismissing.isPending}
              onClick={() => dismissing.mutate()}
            >
              {t('knowledge.dismiss')}
            </Button>
          </>
        ) : null
      }
    >
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

/** Tells whether redaction has left a word of a question. */
function hasWords(question: string | null): boolean {
  return /[\p{L}\p{N}]/u.test(question?.replace(/\[[A-Z_]+\]/g, '') ?? '')
}
