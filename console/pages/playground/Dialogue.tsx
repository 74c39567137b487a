import { Box, Stack } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Empty } from '../../ui/Empty.tsx'
import { FlaskIcon } from '../../ui/icons.tsx'
import { Ask } from './Ask.tsx'
import { TraceOf } from './TraceOf.tsx'
import { TurnOf } from './TurnOf.tsx'
import type { TriedDialogue } from './use-dialogue.ts'
import './Playground.css'

/** Questions and answers. The trace of the chosen answer is beside them, or below it where there is no room. */
export function Dialogue({ dialogue }: { dialogue: TriedDialogue }) {
  const { t } = useTranslation()
  const { turns } = dialogue
  const isWide = useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false })
  const [chosen, setChosen] = useState<number | null>(null)
  const shown = Math.min(chosen ?? turns.length - 1, turns.length - 1)
  const trace = turns[shown]?.answer ?? null
  return (
    <div className="playground">
      <Stack gap="md" miw={0}>
        {turns.length === 0 ? (
          <Empty icon={FlaskIcon} title={t('playground.empty')} text={t('playground.emptyText')} />
        ) : (
          <Stack gap="lg" role="log" aria-label={t('talk.log')}>
            {turns.map((turn, index) => (
              <Stack
                // biome-ignore lint/suspicious/noArrayIndexKey: turns are only ever added at the end
                key={index}
                gap="xs"
              >
                <TurnOf
                  turn={turn}
                  isShown={index === shown}
                  isLast={index === turns.length - 1}
                  isBusy={dialogue.isBusy}
                  onShow={() => setChosen(index)}
                />
                {!isWide && index === shown && turn.answer ? <TraceOf answer={turn.answer} /> : null}
              </Stack>
            ))}
          </Stack>
        )}
        <Ask
          dialogue={dialogue}
          onAsked={() => {
            setChosen(null)
          }}
        />
      </Stack>
      {isWide && trace ? (
        <Box className="playground-trace">
          <TraceOf answer={trace} />
        </Box>
      ) : null}
    </div>
  )
}
