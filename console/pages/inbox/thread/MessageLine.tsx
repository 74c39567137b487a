import { Button, Group, Stack, Text } from '@mantine/core'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../../api/session.ts'
import type { Message, TimelineLine } from '../../../api/types.ts'
import { withDeskTexts } from '../../../texts/index.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Mark } from '../../../ui/Mark.tsx'
import { Time } from '../../../ui/Time.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { CopyAnswer } from './CopyAnswer.tsx'
import { FilesOfMessage } from './FilesOfMessage.tsx'
import { MessageText } from './MessageText.tsx'
import { QuotedText } from './QuotedText.tsx'
import { textOf } from './text-of-message.ts'

const Translation = lazyPart(
  withDeskTexts(() => import('./Translation.tsx')),
  'Translation',
)
const MailMark = lazyPart(
  withDeskTexts(() => import('./MailMark.tsx')),
  'MailMark',
)
const AnswerDetails = lazyPart(
  withDeskTexts(() => import('./AnswerDetails.tsx')),
  'AnswerDetails',
)

interface MessageLineProps {
  line: Extract<TimelineLine, { type: 'message' }>
  conversationId: string
}

/** A message, with its author, its time, and its delivery. */
export function MessageLine({ line, conversationId }: MessageLineProps) {
  const { t } = useTranslation()
  const { message, withheld } = line
  const { role, author, created_at, redacted, completion_id, attachments } = message
  const [areDetailsShown, setDetailsShown] = useState(false)
  /** The number of the source that the reader asked for. */
  const [source, setSource] = useState<number | null>(null)
  const isInternal = role === 'system' || role === 'tool' || role === 'transition'
  const isAnswer = role === 'assistant' && completion_id !== null
  const text = textOf(message)
  const onCitation = isAnswer
    ? (number: number) => {
        setSource(number)
        setDetailsShown(true)
      }
    : undefined
  return (
    <Stack gap={2} mb="md" align={role === 'user' ? 'flex-end' : 'flex-start'}>
      <Group gap="xs" fz="xs" lh="xs" c="dimmed">
        <Text component="span" size="xs" fw={600} className="foreign">
          <bdi>{author ?? t(`inbox.roles.${role}`)}</bdi>
        </Text>
        <Time at={created_at} />
        <Delivery message={message} conversationId={conversationId} />
        {message.mailed ? (
          <Suspense>
            <MailMark mailed={message.mailed} delivery={message.delivery} />
          </Suspense>
        ) : null}
        {withheld ? <Mark tone="amber">{t('inbox.withheld')}</Mark> : null}
        {redacted ? <Mark tone="grey">{t(`inbox.redacted.${redacted}`)}</Mark> : null}
      </Group>
      {text === '' && attachments ? null : (
        <div className="bubble foreign" data-role={isInternal ? undefined : role} dir="auto">
          {isInternal ? (
            <Text c="dimmed" size="secondary" component="div">
              <MessageText text={text} />
            </Text>
          ) : (
            <MessageText text={text} {...(onCitation ? { onCitation } : {})} />
          )}
        </div>
      )}
      {message.quoted === undefined ? null : <QuotedText text={message.quoted} />}
      <FilesOfMessage conversationId={conversationId} files={attachments} redacted={redacted} />
      {isInternal || text === '' ? null : (
        <Suspense>
          <Translation conversationId={conversationId} messageId={message.id} />
        </Suspense>
      )}
      {isAnswer ? (
        <Group gap="md">
          <Button
            variant="subtle"
            color="gray"
            size="compact-xs"
            px={0}
            aria-expanded={areDetailsShown}
            onClick={() => {
              setSource(null)
              setDetailsShown(!areDetailsShown)
            }}
          >
            {t('inbox.why')}
          </Button>
          <CopyAnswer text={text} completionId={completion_id} />
        </Group>
      ) : null}
      {isAnswer && areDetailsShown ? (
        <Suspense>
          <AnswerDetails completionId={completion_id} source={source} />
        </Suspense>
      ) : null}
    </Stack>
  )
}

/** The delivery of a message on its channel. A failed message can be sent again. */
function Delivery({ message, conversationId }: { message: Message; conversationId: string }) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const mayRespond = useRight('respond')
  const { id, delivery, delivery_reason } = message
  const resending = useAction({
    run: () => api.post(`/conversations/${conversationId}/messages/${id}/resend`),
    refresh: [key('conversation', conversationId)],
    done: t('inbox.resent'),
  })
  if (delivery === 'queued') return <Mark tone="grey">{t('inbox.queued')}</Mark>
  if (delivery === 'read') return <Mark tone="grey">{t('inbox.seen')}</Mark>
  if (delivery !== 'failed' && delivery !== 'unknown') return null
  return (
    <>
      {delivery === 'failed' ? (
        <Mark tone="red">
          {t('inbox.notDelivered', { reason: t(`inbox.reasonsNot.${delivery_reason ?? 'rejected'}`) })}
        </Mark>
      ) : (
        <Mark tone="amber">{t('inbox.maybeDelivered')}</Mark>
      )}
      {mayRespond ? (
        <Button
          variant="default"
          size="compact-xs"
          loading={resending.isPending}
          onClick={() => resending.mutate()}
        >
          {t('inbox.resend')}
        </Button>
      ) : null}
    </>
  )
}
