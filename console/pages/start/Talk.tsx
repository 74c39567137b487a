import { Button, Group, Paper, Stack, Text, TextInput } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Answered, prompt } from '../../api/prompt.ts'
import { useAgent } from '../../api/session.ts'
import { joined } from '../../texts/isolated.ts'
import { Failure } from '../../ui/Failure.tsx'
import { Form } from '../../ui/Form.tsx'
import { SendIcon, StopIcon } from '../../ui/icons.tsx'
import { Markdown } from '../../ui/Markdown.tsx'

interface Turn {
  question: string
  /** Grows while it is generated. */
  answer: string
  answered: Answered | null
  error: unknown
}

/** A conversation with the agent as an end user would have it. It is stored, and is in the list as well. */
export function Talk() {
  const { t } = useTranslation()
  const { api } = useAgent()
  const [turns, setTurns] = useState<Turn[]>([])
  const [draft, setDraft] = useState('')
  const running = useRef<AbortController | null>(null)
  const [isBusy, setBusy] = useState(false)
  useEffect(() => () => running.current?.abort(), [])

  function changeLast(change: (turn: Turn) => Partial<Turn>) {
    setTurns((all) =>
      all.map((turn, index) => (index === all.length - 1 ? { ...turn, ...change(turn) } : turn)),
    )
  }

  async function ask(question: string) {
    const conversationId = turns.findLast(({ answered }) => answered)?.answered?.conversation_id ?? null
    running.current = new AbortController()
    setBusy(true)
    setDraft('')
    setTurns((all) => [...all, { question, answer: '', answered: null, error: null }])
    try {
      const wish = { content: question, conversationId, tags: { source: 'console' } }
      const answered = await prompt(
        api,
        wish,
        (piece) => changeLast(({ answer }) => ({ answer: answer + piece })),
        running.current.signal,
      )
      changeLast(() => ({ answered }))
    } catch (error) {
      if (!running.current.signal.aborted) changeLast(() => ({ error }))
    } finally {
      setBusy(false)
    }
  }

  return (
    <Stack gap="md">
      {turns.length > 0 ? (
        <Stack gap="md" role="log" aria-label={t('talk.log')}>
          {turns.map((turn, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: turns are only ever added at the end
            <TurnOf key={index} turn={turn} />
          ))}
        </Stack>
      ) : null}
      <Form
        onSubmit={() => {
          if (draft.trim() !== '' && !isBusy) void ask(draft.trim())
        }}
        onKeyDown={(event) => {
          if (event.key === 'Escape') running.current?.abort()
        }}
      >
        <Group gap="xs" wrap="nowrap">
          <TextInput
            flex={1}
            aria-label={t('talk.question')}
            placeholder={t('talk.placeholder')}
            value={draft}
            maxLength={8000}
            onChange={(event) => setDraft(event.currentTarget.value)}
          />
          {isBusy ? (
            <Button variant="default" leftSection={<StopIcon />} onClick={() => running.current?.abort()}>
              {t('talk.stop')}
            </Button>
          ) : (
            <Button type="submit" leftSection={<SendIcon />} disabled={draft.trim() === ''}>
              {t('talk.send')}
            </Button>
          )}
        </Group>
      </Form>
    </Stack>
  )
}

function TurnOf({ turn }: { turn: Turn }) {
  const { t } = useTranslation()
  const { question, answer, answered, error } = turn
  return (
    <>
      <Paper bg="var(--parley-user)" radius={16} px="md" py="xs" ml="auto" maw="90%" className="foreign">
        {question}
      </Paper>
      {answer ? <Markdown text={answer} /> : null}
      {answered && answered.citations.length > 0 ? (
        <Text c="dimmed" size="secondary" className="foreign">
          {t('talk.sources', { titles: joined(answered.citations.map(({ title }) => title)) })}
        </Text>
      ) : null}
      {error ? <Failure error={error} /> : null}
    </>
  )
}
