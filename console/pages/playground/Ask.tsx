import { Button, Collapse, Group, Stack, TagsInput, Textarea, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Form } from '../../ui/Form.tsx'
import { AdjustIcon, SendIcon, StopIcon } from '../../ui/icons.tsx'
import { useKeys } from '../../ui/keys.ts'
import type { Circumstances, TriedDialogue } from './use-dialogue.ts'

/** The question, and the circumstances that the agent should assume. */
export function Ask({ dialogue, onAsked }: { dialogue: TriedDialogue; onAsked: () => void }) {
  const { t } = useTranslation()
  const { isBusy, ask, stop } = dialogue
  const [draft, setDraft] = useState('')
  const [circumstances, setCircumstances] = useState<Circumstances>({ pageUrl: '', tags: [] })
  const [isOpen, open] = useDisclosure(false)
  useKeys({ Escape: stop })
  const question = draft.trim()

  function submit() {
    if (question === '' || isBusy) return
    setDraft('')
    onAsked()
    void ask(question, circumstances)
  }
  return (
    <Form
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Escape') stop()
      }}
    >
      <Stack gap="xs">
        <Textarea
          aria-label={t('talk.question')}
          placeholder={t('playground.placeholder')}
          autosize
          minRows={2}
          maxRows={10}
          maxLength={100_000}
          value={draft}
          data-autofocus
          onChange={(event) => setDraft(event.currentTarget.value)}
          onKeyDown={(event) => {
            // Enter that ends a composition belongs to the input method.
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
            event.preventDefault()
            submit()
          }}
        />
        <Group justify="space-between" gap="xs">
          <Button
            variant="subtle"
            color="gray"
            leftSection={<AdjustIcon />}
            aria-expanded={isOpen}
            onClick={open.toggle}
          >
            {t('playground.asIf')}
          </Button>
          {isBusy ? (
            <Button variant="default" leftSection={<StopIcon />} onClick={stop}>
              {t('playground.stop')}
            </Button>
          ) : (
            <Button type="submit" leftSection={<SendIcon />} disabled={question === ''}>
              {t('talk.send')}
            </Button>
          )}
        </Group>
        <Collapse expanded={isOpen}>
          <Stack gap="sm">
            <TextInput
              label={t('playground.pageUrl')}
              placeholder="https://example.com/orders/7"
              value={circumstances.pageUrl}
              onChange={(event) => setCircumstances({ ...circumstances, pageUrl: event.currentTarget.value })}
            />
            <TagsInput
              label={t('playground.tags')}
              description={t('playground.tagsHint')}
              placeholder="plan=gold"
              value={circumstances.tags}
              onChange={(tags) => setCircumstances({ ...circumstances, tags })}
            />
          </Stack>
        </Collapse>
      </Stack>
    </Form>
  )
}
