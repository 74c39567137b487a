import { Button, Checkbox, Group, Popover, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../../api/session.ts'
import type { SavedView } from '../../../api/types.ts'
import { useAction } from '../../../ui/use-action.ts'
import { filtersOf, type InboxSearch } from '../inbox-search.ts'
import { isShown, keptOf, savedQueryOf, useSavedViews } from '../use-saved-views.ts'

/** Keeps what the inbox shows as a view, or changes the view that it shows. */
export function SaveView({ search }: { search: InboxSearch }) {
  const { t } = useTranslation()
  const mayRespond = useRight('respond')
  const [isOpen, setOpen] = useState(false)
  const shown = useSavedViews().find((view) => isShown(view, search)) ?? null
  const isKeepable = shown !== null || filtersOf(keptOf(search)).length > 0
  if (!mayRespond || !isKeepable) return null
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <Button variant="default" size="compact-sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t(shown ? 'savedViews.change' : 'savedViews.saveAs')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('savedViews.title')}>
        <ViewForm key={shown?.id ?? 'new'} shown={shown} search={search} onDone={() => setOpen(false)} />
      </Popover.Dropdown>
    </Popover>
  )
}

interface ViewFormProps {
  /** The view that the inbox shows; null: it shows none. */
  shown: SavedView | null
  search: InboxSearch
  onDone: () => void
}

function ViewForm({ shown, search, onDone }: ViewFormProps) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const [name, setName] = useState(shown?.name ?? '')
  const [isShared, setShared] = useState(shown?.shared ?? false)
  const refresh = [key('inbox', 'views')]
  const saving = useAction({
    run: () => {
      const fields = { name: name.trim(), shared: isShared }
      return shown
        ? api.patch(`/views/${shown.id}`, { ...fields, version: shown.version })
        : api.post('/views', { ...fields, query: savedQueryOf(search) })
    },
    refresh,
    done: t('savedViews.saved'),
    onDone,
  })
  const removing = useAction({
    run: () => api.delete(`/views/${shown?.id}`),
    refresh,
    done: t('savedViews.deleted'),
    onDone,
  })
  const isKept = shown !== null && shown.name === name.trim() && shown.shared === isShared
  const losesSome = filtersOf(keptOf(search)).length < filtersOf(search).length
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() !== '' && !isKept && !saving.isPending) saving.mutate()
      }}
    >
      <Stack gap="xs">
        <TextInput
          label={t('savedViews.name')}
          value={name}
          maxLength={100}
          autoComplete="off"
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Checkbox
          label={t('savedViews.shared')}
          checked={isShared}
          onChange={(event) => setShared(event.currentTarget.checked)}
        />
        {losesSome ? (
          <Text size="secondary" c="dimmed">
            {t('savedViews.withoutSome')}
          </Text>
        ) : null}
        <Group gap="xs">
          <Button
            type="submit"
            variant="default"
            size="compact-sm"
            loading={saving.isPending}
            disabled={name.trim() === '' || isKept}
          >
            {t(shown ? 'savedViews.save' : 'savedViews.saveView')}
          </Button>
          {shown ? (
            <Button
              variant="default"
              size="compact-sm"
              loading={removing.isPending}
              onClick={() => removing.mutate()}
            >
              {t('savedViews.delete')}
            </Button>
          ) : null}
        </Group>
      </Stack>
    </form>
  )
}
