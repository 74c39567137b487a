import { Button, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../../api/session.ts'
import { useFailureText } from '../copilot/use-failure-text.ts'
import { useLanguage } from '../copilot/use-language.ts'
import { MessageText } from './MessageText.tsx'

interface TranslationProps {
  conversationId: string
  messageId: number
}

/** A message in the reader's language, below the message itself, where the conversation is in another language. */
export function Translation({ conversationId, messageId }: TranslationProps) {
  const { t, i18n } = useTranslation()
  const { api, key } = useAgent()
  const mayRespond = useRight('respond')
  const failureText = useFailureText()
  const language = useLanguage(conversationId)
  const [isShown, setShown] = useState(false)
  const translation = useQuery({
    queryKey: key('conversation', conversationId, 'translation', messageId, i18n.language),
    queryFn: async () => {
      const body = { to: i18n.language, message_ids: [messageId] }
      const { data } = await api.post(`/conversations/${conversationId}/translate`, body)
      return data.messages[0] ?? null
    },
    enabled: isShown,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  if (language === null || language === i18n.language || !mayRespond) return null
  const { data, error, isFetching, refetch } = translation
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        size="compact-xs"
        px={0}
        aria-expanded={isShown}
        loading={isFetching}
        onClick={() => {
          if (isShown && error) void refetch()
          else setShown(!isShown)
        }}
      >
        {t(isShown && !error ? 'copilot.hideTranslation' : 'copilot.translate')}
      </Button>
      {isShown && error ? (
        <Text role="alert" size="secondary" c="var(--parley-red)">
          {failureText(error)}
        </Text>
      ) : null}
      {isShown && data ? (
        <div className="bubble translation foreign" dir="auto">
          <Text size="xs" c="dimmed">
            {t(data.is_original ? 'copilot.writtenSo' : 'copilot.made.translation')}
          </Text>
          <MessageText text={data.content} />
        </div>
      ) : null}
    </>
  )
}
