import { Button, Group, Paper, ScrollArea, Stack, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Waiting } from '../../../../ui/Loaded.tsx'
import { useFailureText } from '../../copilot/use-failure-text.ts'
import { Sources } from '../../thread/AnswerDetails.tsx'
import { MessageText } from '../../thread/MessageText.tsx'
import type { Made } from './use-copilot.ts'

interface MadeTextProps {
  made: Made
  /** True if the person's draft is empty, so that there is nothing to replace. */
  isEmpty: boolean
  onUse: (way: 'replace' | 'append') => void
  onDiscard: () => void
}

/** A text of the model beside the draft, while it is made and until the person decides. */
export function MadeText({ made, isEmpty, onUse, onDiscard }: MadeTextProps) {
  const { t } = useTranslation()
  const failureText = useFailureText()
  const { kind, said, draft, citations, error } = made
  const first = useRef<HTMLButtonElement>(null)
  const isBusy = draft === null && error === null
  // The keyboard follows to what can be done now, unless the person is writing.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs at the beginning and at the end
  useEffect(() => {
    if (!isWriting()) first.current?.focus()
  }, [isBusy])
  const hasText = draft !== null && draft !== ''
  return (
    <Paper
      withBorder
      p="sm"
      component="section"
      aria-label={t(`copilot.made.${kind}`)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onDiscard()
      }}
    >
      <Stack gap="xs">
        <Text size="xs" c="dimmed" fw={600}>
          {t(`copilot.made.${kind}`)}
        </Text>
        {error ? (
          <Text role="alert" c="var(--parley-red)">
            {failureText(error)}
          </Text>
        ) : null}
        {draft === '' ? <Text role="status">{t('copilot.notKnown')}</Text> : null}
        {said === '' ? null : (
          <ScrollArea.Autosize mah="30vh" type="auto">
            <div className="foreign" dir="auto" aria-live="polite" aria-busy={isBusy}>
              <MessageText text={said} />
            </div>
            {kind === 'reply' && hasText ? <Sources citations={citations} wanted={null} /> : null}
          </ScrollArea.Autosize>
        )}
        {isBusy && said === '' ? <Waiting /> : null}
        <Group gap="xs">
          {hasText ? (
            <Button ref={first} size="compact-sm" onClick={() => onUse('replace')}>
              {t(isEmpty ? 'copilot.use' : 'copilot.replace')}
            </Button>
          ) : null}
          {hasText && !isEmpty && kind === 'reply' ? (
            <Button variant="default" size="compact-sm" onClick={() => onUse('append')}>
              {t('copilot.append')}
            </Button>
          ) : null}
          <Button ref={hasText ? null : first} variant="default" size="compact-sm" onClick={onDiscard}>
            {t(isBusy ? 'copilot.stop' : 'copilot.discard')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  )
}

function isWriting(): boolean {
  return (
    document.activeElement instanceof HTMLTextAreaElement ||
    document.activeElement instanceof HTMLInputElement
  )
}
