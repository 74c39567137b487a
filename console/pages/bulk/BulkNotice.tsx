import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Api, Refusal } from '../../api/client.ts'
import type { BulkAct, BulkAction } from '../../api/types.ts'
import { useActions } from '../../shell/page-actions.ts'
import { useFormattedNumber } from '../../ui/formatted-number.ts'
import { notify, notifyFailure } from '../../ui/notify.ts'
import { useAction } from '../../ui/use-action.ts'
import { refreshLists } from '../inbox/rows/use-inbox.ts'

const ASK_EVERY_MS = 400
const TICK_MS = 200

interface BulkNoticeProps {
  api: Api
  begun: BulkAct
  /** The queries that are read again when the act is done. */
  refresh: QueryKey[]
  onClose: () => void
}

/** The notice of an act on many conversations. It offers to undo the act until it begins, then shows its progress. */
export function BulkNotice({ api, begun, refresh, onClose }: BulkNoticeProps) {
  const { t } = useTranslation()
  const numberOf = useFormattedNumber()
  const queries = useQueryClient()
  const path = `/inbox/bulk/${begun.id}` as const
  const { data: act, error } = useQuery({
    queryKey: ['bulk', begun.id],
    queryFn: async () => (await api.get(path)).data,
    initialData: begun,
    staleTime: 0,
    refetchInterval: ASK_EVERY_MS,
    refetchIntervalInBackground: true,
  })
  const undoing = useAction({ run: () => api.delete(path), done: t('bulk.undone'), onDone: onClose })
  const seconds = useSecondsLeft(begun)
  const { state, matched, done, changed, skipped, starts_at } = act
  const canUndo = starts_at !== null && seconds > 0
  const isFinished = state === 'done' || state === 'failed'
  // Somebody else may have cancelled it, or the session may have ended.
  const isGone = state === 'cancelled' || (error instanceof Refusal && error.status !== 0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it has ended
  useEffect(() => {
    if (!isFinished && !isGone) return
    onClose()
    if (!isFinished) return
    for (const queryKey of refresh) void queries.invalidateQueries({ queryKey })
    refreshLists()
    const told = t(state === 'done' ? 'bulk.done' : 'bulk.failed', { count: changed })
    const reasons = skipped.map(({ reason, count }) => t(`bulk.skips.${reason}`, { count })).join(', ')
    const count = skipped.reduce((sum, { count }) => sum + count, 0)
    const message = count === 0 ? told : `${told} ${t('bulk.skipped', { count, reasons })}`
    if (state === 'done') notify(message)
    else notifyFailure(message)
  }, [isFinished, isGone])
  // A conversation that is opened meanwhile has the same key for its details.
  useActions(
    canUndo ? [{ id: 'undo', label: t('common.undo'), key: 'z', run: () => undoing.mutate() }] : [],
    true,
  )
  const type = act.action.type as BulkAction['type']
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
            {canUndo
              ? t('bulk.in', { seconds })
              : t('bulk.progress', { done: numberOf(done), matched: numberOf(matched) })}
          </Text>
        </Stack>
        {canUndo ? (
          <Button variant="default" loading={undoing.isPending} onClick={() => undoing.mutate()}>
            {t('common.undo')}
          </Button>
        ) : null}
      </Group>
      {canUndo || !isKnown ? null : (
        <Progress
          aria-label={t('bulk.progress', { done, matched })}
          value={matched > 0 ? (100 * done) / matched : 0}
        />
      )}
    </Stack>
  )
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
