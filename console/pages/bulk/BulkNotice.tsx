import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Api, Refusal } from '../../api/client.ts'
import type { BulkAct, BulkWork } from '../../api/types.ts'
import { useFormattedNumber } from '../../ui/formatted-number.ts'
import { notify, notifyFailure } from '../../ui/notify.ts'
import { useActions } from '../../ui/page-actions.ts'
import { useAction } from '../../ui/use-action.ts'
import { tellBulkEnd } from './bulk-ended.ts'
import { UndoOffer } from './UndoOffer.tsx'

const ASK_EVERY_MS = 400
const TICK_MS = 200

interface BulkNoticeProps {
  api: Api
  begun: BulkAct
  /** The queries that are read again when the act is done. */
  refresh: QueryKey[]
  onClose: () => void
}

/** The notice of an act on many conversations. After a macro it offers to undo it, and then shows the undoing. */
export function BulkNotice({ begun, ...props }: BulkNoticeProps) {
  const [act, setAct] = useState(begun)
  return <ActNotice key={act.id} {...props} begun={act} onUndo={setAct} />
}

interface ActNoticeProps extends BulkNoticeProps {
  onUndo: (begun: BulkAct) => void
}

/** The notice of one act. It offers to undo the act until it begins, then shows its progress, and what came of it. */
function ActNotice({ api, begun, refresh, onClose, onUndo }: ActNoticeProps) {
  const { t } = useTranslation()
  const numberOf = useFormattedNumber()
  const queries = useQueryClient()
  const path = `/inbox/bulk/${begun.id}` as const
  const { data: act, error } = useQuery({
    queryKey: ['bulk', begun.id],
    queryFn: async () => (await api.get(path)).data,
    initialData: begun,
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => (data && hasFinished(data) ? false : ASK_EVERY_MS),
    refetchIntervalInBackground: true,
  })
  const cancelling = useAction({ run: () => api.delete(path), done: t('bulk.undone'), onDone: onClose })
  const undoing = useAction({
    run: () => api.post(`${path}/undo`),
    onDone: ({ data }) => onUndo(data),
  })
  const seconds = useSecondsLeft(begun)
  const { state, matched, done, starts_at } = act
  const canCancel = starts_at !== null && seconds > 0
  const isFinished = hasFinished(act)
  const canUndo = isFinished && act.can_undo
  // Somebody else may have cancelled it, or the session may have ended.
  const isGone = state === 'cancelled' || (error instanceof Refusal && error.status !== 0)
  const told = toldOf(act, t)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it has ended
  useEffect(() => {
    if (!isFinished && !isGone) return
    if (!canUndo) onClose()
    if (!isFinished) return
    for (const queryKey of refresh) void queries.invalidateQueries({ queryKey })
    tellBulkEnd()
    if (canUndo) return
    if (state === 'done') notify(told)
    else notifyFailure(told)
  }, [isFinished, isGone])
  /** Closes an offer that was not taken. A failure stays until somebody closes it, so it is told on its own then. */
  const closeOffer = () => {
    onClose()
    if (state === 'failed') notifyFailure(told)
  }
  // A conversation that is opened meanwhile has the same key for its details.
  useActions(
    canCancel ? [{ id: 'undo', label: t('common.undo'), key: 'z', run: () => cancelling.mutate() }] : [],
    true,
  )
  if (canUndo) return <UndoOffer message={told} undoing={undoing} onClose={closeOffer} />
  const type = act.action.type as BulkWork['type']
  const isKnown = state !== 'gathering'
  return (
    <Stack gap={4}>
      <Group gap="sm" justify="space-between" wrap="nowrap">
        <Stack gap={0} miw={0}>
          <Text fw={600} role="status">
            {isKnown
              ? t(`bulk.doing.${type}`, { count: matched, number: numberOf(matched) })
              : t('bulk.gathering')}
          </Text>
          {/* Screen readers skip the countdown, because they would never stop reading it. */}
          <Text size="secondary" c="dimmed" className="numbers" aria-hidden>
            {canCancel
              ? t('bulk.in', { seconds })
              : t('bulk.progress', { done: numberOf(done), matched: numberOf(matched) })}
          </Text>
        </Stack>
        {canCancel ? (
          <Button variant="default" loading={cancelling.isPending} onClick={() => cancelling.mutate()}>
            {t('common.undo')}
          </Button>
        ) : null}
      </Group>
      {canCancel || !isKnown ? null : (
        <Progress
          aria-label={t('bulk.progress', { done, matched })}
          value={matched > 0 ? (100 * done) / matched : 0}
        />
      )}
    </Stack>
  )
}

function hasFinished({ state }: BulkAct): boolean {
  return state === 'done' || state === 'failed'
}

/** Returns what came of an act that has finished. */
function toldOf({ action, state, changed, skipped }: BulkAct, t: TFunction): string {
  const isUndo = action.type === 'undo_macro'
  const done = isUndo ? 'bulk.undoneIn' : 'bulk.done'
  const told = t(state === 'done' ? done : 'bulk.failed', { count: changed })
  const count = skipped.reduce((sum, { count }) => sum + count, 0)
  if (count === 0) return told
  const reasons = skipped.map(({ reason, count }) => t(`bulk.skips.${reason}`, { count })).join(', ')
  return `${told} ${t(isUndo ? 'bulk.notUndone' : 'bulk.skipped', { count, reasons })}`
}

/** Returns the seconds until the act begins. Only differences count, as the service's clock may differ from ours. */
function useSecondsLeft({ created_at, starts_at }: BulkAct): number {
  const [endMs] = useState(
    () => Date.now() + (starts_at === null ? 0 : Date.parse(starts_at) - Date.parse(created_at)),
  )
  const leftOf = () => Math.max(0, Math.ceil((endMs - Date.now()) / 1000))
  const [left, setLeft] = useState(leftOf)
  const isOver = left === 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: it only counts down
  useEffect(() => {
    if (isOver) return
    const ticking = setInterval(() => setLeft(leftOf()), TICK_MS)
    return () => clearInterval(ticking)
  }, [isOver])
  return left
}
