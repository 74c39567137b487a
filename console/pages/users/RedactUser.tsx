import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import type { RedactionResult, UserProfile } from '../../api/types.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { useAction } from '../../ui/use-action.ts'
import { userAddress } from '../../ui/user-source.ts'
import { wordsToLose } from './words-to-lose.ts'

type Mode = RedactionResult['mode']

interface RedactUserProps {
  user: UserProfile
  /** Receives words that the erasure should have removed everywhere. */
  onErased: (words: string) => void
}

/** Permanently removes personal data or all text from everything of an end user, until nothing is left to remove. */
export function RedactUser({ user, onErased }: RedactUserProps) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const [asked, setAsked] = useState<Mode | null>(null)
  const [remaining, setRemaining] = useState<number | null>(null)
  const redacting = useAction({
    run: async (mode: Mode) => {
      const words = await wordsToLose(api, user, mode)
      let redacted = 0
      for (;;) {
        const path = `/users/${encodeURIComponent(userAddress(user))}/${mode}` as const
        const { data } = await api.post(path)
        redacted += data.messages_redacted
        setRemaining(data.remaining)
        if (data.remaining === 0) return { redacted, words }
      }
    },
    refresh: [key('users'), key('conversation'), key('search')],
    done: ({ redacted }) => t('users.redacted', { count: redacted, remaining: 0 }),
    onDone: ({ words }) => {
      setAsked(null)
      onErased(words)
    },
  })
  return (
    <>
      {(['anonymize', 'scrub'] as const).map((mode) => (
        <Button key={mode} variant="default" onClick={() => setAsked(mode)}>
          {t(`inbox.redact.${mode}`)}
        </Button>
      ))}
      {asked ? (
        <Confirm
          title={t(`users.redactTitle.${asked}`, { user: user.id })}
          text={
            <>
              {t(`users.redactText.${asked}`)}
              {redacting.isPending && remaining !== null ? (
                <Text component="span" display="block" mt="xs" role="status" className="numbers">
                  {t('inbox.remaining', { count: remaining })}
                </Text>
              ) : null}
            </>
          }
          action={t(`inbox.redact.${asked}`)}
          typed={user.id}
          isBusy={redacting.isPending}
          onConfirm={() => redacting.mutate(asked)}
          onClose={() => setAsked(null)}
        />
      ) : null}
    </>
  )
}
