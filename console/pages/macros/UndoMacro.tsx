import { Button } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../api/session.ts'
import { useAction } from '../../ui/use-action.ts'

/** The button beside a line of the timeline that takes back what a macro has done. */
export function UndoMacro({ run }: { run: unknown }) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const { conversationId = '' } = useParams({ strict: false })
  const undoing = useAction({
    run: () => api.post(`/conversations/${conversationId}/macro-runs/${Number(run)}/undo`),
    refresh: [key('conversation', conversationId)],
    done: t('macros.undone'),
  })
  if (!useRight('respond')) return null
  return (
    <Button variant="subtle" size="compact-xs" loading={undoing.isPending} onClick={() => undoing.mutate()}>
      {t('common.undo')}
    </Button>
  )
}
