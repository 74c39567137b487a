import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../api/session.ts'
import type { PauseForecast } from '../api/types.ts'
import { useFormattedNumber } from '../ui/formatted-number.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { useAction } from '../ui/use-action.ts'
import { useUntold } from './use-untold.ts'

const PauseConfirm = lazyPart(() => import('./PauseConfirm.tsx'), 'PauseConfirm', 'in a notice')

interface Pausing {
  /** Pauses the agent, or resumes it: at once if nobody is told, otherwise `question` asks first. */
  press: (pause: boolean) => void
  isPending: boolean
  question: ReactNode
}

interface Press {
  pause: boolean
  forecast: PauseForecast
}

/** Pauses the agent, or resumes it, and shows before and after how many conversations are told. */
export function usePause(): Pausing {
  const { t } = useTranslation()
  const agent = useAgent()
  const untold = useUntold()
  const numberOf = useFormattedNumber()
  const [forecast, setForecast] = useState<PauseForecast | null>(null)
  const acting = useAction({
    run: ({ pause }: Press) => agent.api.post(pause ? '/pause' : '/resume'),
    refresh: [['who'], agent.key()],
    done: ({ data: { is_paused, emitted, skipped } }, { pause, forecast }) => {
      // The forecast's reasons may be wrong if something has changed since, so they are left out then.
      const isAsForeseen = skipped > 0 && skipped === forecast.would_skip && forecast.is_paused !== pause
      const why = isAsForeseen ? t('shell.because', { reasons: untold(forecast) }) : ''
      return t(is_paused ? 'shell.paused' : 'shell.resumed', {
        count: emitted,
        number: numberOf(emitted),
        skipped: numberOf(skipped),
        why,
      })
    },
    onDone: () => setForecast(null),
  })
  const asking = useAction({
    run: (_: boolean) => agent.api.get('/pause'),
    onDone: ({ data: forecast }, pause) => {
      // No question is needed if a colleague has already done it, because the request then changes nothing.
      if (forecast.would_emit > 0 && forecast.is_paused !== pause) setForecast(forecast)
      else acting.mutate({ pause, forecast })
    },
  })
  return {
    press: (pause) => asking.mutate(pause),
    isPending: asking.isPending || acting.isPending,
    question: forecast ? (
      <Suspense>
        <PauseConfirm
          forecast={forecast}
          isBusy={acting.isPending}
          onConfirm={() => acting.mutate({ pause: forecast.next === 'pause', forecast })}
          onClose={() => setForecast(null)}
        />
      </Suspense>
    ) : null,
  }
}
