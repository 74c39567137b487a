import { Button, Checkbox, Group, NativeSelect, Popover, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../../api/session.ts'
import type { SavedView } from '../../../api/types.ts'
import { Form } from '../../../ui/Form.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { filtersOf, type InboxSearch } from '../inbox-search.ts'
import { isShown, keptOf, savedQueryOf, useSavedViews } from '../use-saved-views.ts'

/** Keeps what the inbox shows as a view, or changes the view that it shows. */
export function SaveView({ search }: { search: InboxSearch }) {
  const { t } = useTranslation()
  const mayRespond = useRight('respond')
  const [isOpen, setOpen] = useState(false)
  const views = useSavedViews()
  const shown = views.find((view) => isShown(view, search)) ?? null
  const { sort = 'latest' } = search
  const isKeepable = shown !== null || filtersOf(keptOf(search)).length > 0 || sort !== 'latest'
  if (!mayRespond || !isKeepable) return null
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <Button variant="default" size="compact-sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {t(shown ? 'savedViews.change' : 'savedViews.saveAs')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('savedViews.title')}>
        <ViewForm
          key={shown?.id ?? 'new'}
          shown={shown}
          views={views}
          search={search}
          onDone={() => setOpen(false)}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

interface ViewFormProps {
  /** The view that the inbox shows; null: it shows none. */
  shown: SavedView | null
  views: readonly SavedView[]
  search: InboxSearch
  onDone: () => void
}

function ViewForm({ shown, views, search, onDone }: ViewFormProps) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const [name, setName] = useState(shown?.name ?? '')
  const [isShared, setShared] = useState(shown?.shared ?? false)
  /** The view that gets what the inbox shows; null: a new one does. */
  const [replaced, setReplaced] = useState<SavedView | null>(null)
  const refresh = [key('inbox', 'views')]
  const saving = useAction({
    run: () => {
      const fields = { name: name.trim(), shared: isShared }
      if (shown) return api.patch(`/views/${shown.id}`, { ...fields, version: shown.version })
      const all = { ...fields, query: savedQueryOf(search) }
      return replaced
        ? api.patch(`/views/${replaced.id}`, { ...all, version: replaced.version })
        : api.post('/views', all)
    },
    refresh,
    done: t('savedViews.saved'),
    onDone,
  })
  const removing = useAction({
    run: () => api.delete(`/views/${Number(shown?.id)}`),
    refresh,
    done: t('savedViews.deleted'),
    onDone,
  })
  const isKept = shown !== null && shown.name === name.trim() && shown.shared === isShared
  const losesSome = filtersOf(keptOf(search)).length < filtersOf(search).length
  return (
    <Form
      onSubmit={() => {
        if (name.trim() !== '' && !isKept && !saving.isPending) saving.mutate()
      }}
    >
      <Stack gap="xs">
        {shown || views.length === 0 ? null : (
          <NativeSelect
            label={t('savedViews.inPlaceOf')}
            value={String(replaced?.id ?? '')}
            onChange={(event) => {
              const chosen = views.find(({ id }) => id === Number(event.currentTarget.value)) ?? null
              setReplaced(chosen)
              setName(chosen?.name ?? '')
              setShared(chosen?.shared ?? false)
            }}
            data={[
              { value: '', label: t('savedViews.none') },
              ...views.map(({ id, name }) => ({ value: String(id), label: name })),
            ]}
          />
        )}
        <TextInput
          label={t('savedViews.name')}
          value={name}
          maxLength={100}
          autoComplete="off"
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Checkbox
          label={t('savedViews.shared')}
          description={shown?.shared && !isShared ? t('savedViews.unshared') : undefined}
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
    </Form>
  )
}
