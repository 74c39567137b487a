import { Button, Group, Paper, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { TriedAnswer } from '../../api/types.ts'
import { joined } from '../../texts/isolated.ts'
import { Failure } from '../../ui/Failure.tsx'
import { Waiting } from '../../ui/Loaded.tsx'
import { Mark } from '../../ui/Mark.tsx'
import { Markdown } from '../../ui/Markdown.tsx'
import type { TriedTurn } from './use-dialogue.ts'

interface TurnOfProps {
  turn: TriedTurn
  /** True if the trace of the answer is shown. */
  isShown: boolean
  isLast: boolean
  isBusy: boolean
  onShow: () => void
}

/** A question and its result. */
export function TurnOf({ turn, isShown, isLast, isBusy, onShow }: TurnOfProps) {
  const { t } = useTranslation()
  const { question, said, answer, error, isStopped } = turn
  return (
    <>
      <Paper
        bg="var(--parley-user)"
        radius={16}
        px="md"
        py="xs"
        ml="auto"
        maw="90%"
        className="foreign"
        style={{ whiteSpace: 'pre-wrap' }}
      >
        {question}
      </Paper>
      {said !== '' && !answer?.response ? <Markdown text={said} /> : null}
      {answer ? <AnswerOf answer={answer} /> : null}
      {error ? <Failure error={error} /> : null}
      {isStopped ? <Text c="dimmed">{t('playground.stopped')}</Text> : null}
      {isBusy && isLast && said === '' ? <Waiting /> : null}
      {answer ? (
        <Group gap="xs">
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            fw={400}
            aria-pressed={isShown}
            onClick={onShow}
          >
            <Summary answer={answer} />
          </Button>
        </Group>
      ) : null}
    </>
  )
}

function AnswerOf({ answer }: { answer: TriedAnswer }) {
  const { t } = useTranslation()
  const { response, error, agent_paused, person_asked, ctas } = answer
  return (
    <>
      {response ? <Markdown text={response} /> : null}
      {ctas.map(({ id, name, content }) => (
        <Paper key={id} withBorder p="xs" maw="68ch" className="foreign" aria-label={name}>
          {content}
        </Paper>
      ))}
      {error ? (
        <Paper withBorder p="sm" maw="68ch" className="foreign" role="alert">
          <Group gap="xs" mb={4}>
            <Mark tone="red">{t('playground.modelFailed')}</Mark>
            <Text size="secondary" c="dimmed">
              {joined([error.status, error.code, error.reason])}
            </Text>
          </Group>
          <Text>{error.message}</Text>
        </Paper>
      ) : null}
      {response === '' && !error ? <Text c="dimmed">{t('playground.noText')}</Text> : null}
      {agent_paused ? <Text c="var(--parley-amber)">{t('playground.paused')}</Text> : null}
      {person_asked ? <Text c="dimmed">{t('playground.personAsked')}</Text> : null}
    </>
  )
}

/** The figures that distinguish one turn from another. */
function Summary({ answer }: { answer: TriedAnswer }) {
  const { t, i18n } = useTranslation()
  const { model, usage, trace } = answer
  const { total_ms } = trace.times
  const [time, unit] = total_ms < 1000 ? [Math.max(1, total_ms), 'millisecond'] : [total_ms / 1000, 'second']
  const maximumFractionDigits = unit === 'second' ? 2 : 0
  const took = new Intl.NumberFormat(i18n.language, { style: 'unit', unit, maximumFractionDigits }).format(
    time,
  )
  const acted = trace.rules.filter((rule) => rule.acted).length
  const parts = [
    model,
    usage ? t('inbox.tokens', { count: usage.total_tokens }) : null,
    took,
    t('knowledge.passages', { count: trace.passages.length }),
    acted > 0 ? t('playground.rulesActed', { count: acted }) : null,
  ]
  return <span className="foreign">{joined(parts)}</span>
}
