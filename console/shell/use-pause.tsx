import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../api/session.ts'
import type { PauseForecast, PauseResult, Single } from '../api/types.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { useAction } from '../ui/use-action.ts'

const PauseConfirm = lazyPart(() => import('./PauseConfirm.tsx'), 'PauseConfirm', 'in a notice')

interface Pausing {
  /** Pauses the agent, or resumes it: at once if nobody is told, otherwise `question` asks first. */
  press: (pause: boolean) => void
  isPending: boolean
  question: ReactNode
}

/** Pauses the agent, or resumes it, and shows before and after how many conversations are told. */
export function usePause(): Pausing {
  const { t } = useTranslation()
  const agent = useAgent()
  const [forecast, setForecast] = useState<PauseForecast | null>(null)
  const acting = useAction({
    run: (pause: boolean) => agent.api.post<Single<PauseResult>>(pause ? '/pause' : '/resume'),
    refresh: [['who'], agent.key()],
    done: ({ data: { is_paused, emitted, skipped } }) =>
      t(is_paused ? 'shell.paused' : 'shell.resumed', { count: emitted, skipped }),
    onDone: () => setForecast(null),
  })
  const asking = useAction({
    run: (_: boolean) => agent.api.get<Single<PauseForecast>>('/pause'),
    onDone: ({ data }, pause) => {
      // A colleague may have done it already; then it changes nothing.
      if (data.would_emit > 0 && data.is_paused !== pause) setForecast(data)
      else acting.mutate(pause)
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
          onConfirm={() => acting.mutate(forecast.next === 'pause')}
          onClose={() => setForecast(null)}
        />
      </Suspense>
    ) : null,
  }
}
