import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { outcomes } from '../../../../src/transcripts/conversations/outcomes.ts'
import { useChannels } from '../../../api/channels.ts'
import { useColleagues } from '../../../api/colleagues.ts'
import { useGroups } from '../../../api/groups.ts'
import { withDeskTexts } from '../../../texts/index.ts'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { isPriority, priorityChoices } from '../../../ui/priorities.ts'
import { useTyped } from '../../../ui/use-typed.ts'
import { filtersOf, type InboxSearch, withoutFilters } from '../inbox-search.ts'

const SaveView = lazyPart(
  withDeskTexts(() => import('./SaveView.tsx')),
  'SaveView',
)

interface FiltersProps {
  search: InboxSearch
  onChange: (search: InboxSearch) => void
}

const languages =
  'ar bg cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv nl no pl pt ro ru sk sl sr sv th tr uk vi zh'

/** The filters for the listed conversations. All that are set must match. */
export function Filters({ search, onChange }: FiltersProps) {
  const { t, i18n } = useTranslation()
  const colleagues = useColleagues()
  const channels = useChannels()
  const groups = useGroups().data ?? []
  const names = new Intl.DisplayNames([i18n.language], { type: 'language' })
  const set = (values: { [Name in keyof InboxSearch]?: InboxSearch[Name] | undefined }) =>
    onChange(
      Object.fromEntries(Object.entries({ ...search, ...values }).filter(([, value]) => value !== undefined)),
    )
  const any = { value: '', label: t('inbox.any') }
  return (
    <Stack gap="xs" px="sm" pb="sm" role="search" aria-label={t('inbox.filters')}>
      <TypedFilter label={t('inbox.words')} value={search.q} onChange={(q) => set({ q })} />
      <Group gap="xs" grow align="flex-end">
        <NativeSelect
          label={t('inbox.assignee')}
          value={String(search.assignee ?? '')}
          onChange={(event) => set({ assignee: Number(event.currentTarget.value) || undefined })}
          data={[any, ...colleagues.map(({ id, name }) => ({ value: String(id), label: name }))]}
        />
        <NativeSelect
          label={t('inbox.channel')}
          value={String(search.channel ?? '')}
          onChange={(event) => set({ channel: Number(event.currentTarget.value) || undefined })}
          data={[any, ...(channels.data ?? []).map(({ id, label }) => ({ value: String(id), label }))]}
        />
      </Group>
      <Group gap="xs" grow align="flex-end">
        <TypedFilter
          label={t('inbox.tag')}
          placeholder="plan:gold"
          value={search.tag}
          isComplete={(tag) => /^[^:]+:/.test(tag)}
          onChange={(tag) => set({ tag })}
        />
        <NativeSelect
          label={t('inbox.language')}
          value={search.language ?? ''}
          onChange={(event) => set({ language: event.currentTarget.value || undefined })}
          data={[any, ...languages.split(' ').map((value) => ({ value, label: names.of(value) ?? value }))]}
        />
      </Group>
      <Group gap="xs" grow align="flex-end">
        <TypedFilter label={t('inbox.user')} value={search.user} onChange={(user) => set({ user })} />
        <NativeSelect
          label={t('inbox.priority')}
          value={search.priority ?? ''}
          onChange={({ currentTarget: { value } }) =>
            set({ priority: isPriority(value) ? value : undefined })
          }
          data={[any, ...priorityChoices(t)]}
        />
      </Group>
      <NativeSelect
        label={t('inbox.outcome')}
        value={search.outcome ?? ''}
        onChange={({ currentTarget: { value } }) =>
          set({ outcome: outcomes.find((one) => one === value), ...(value ? { view: 'ended' } : {}) })
        }
        data={[any, ...outcomes.map((value) => ({ value, label: t(`inbox.outcomes.${value}`) }))]}
      />
      {groups.length > 0 ? (
        <NativeSelect
          label={t('inbox.group')}
          value={String(search.group ?? '')}
          onChange={(event) => set({ group: Number(event.currentTarget.value) || undefined })}
          data={[any, ...groups.map(({ id, name }) => ({ value: String(id), label: name }))]}
        />
      ) : null}
      <Group gap="xs">
        {filtersOf(search).length > 0 ? (
          <Button variant="default" size="compact-sm" onClick={() => onChange(withoutFilters(search))}>
            {t('inbox.clearFilters')}
          </Button>
        ) : null}
        <Suspense>
          <SaveView search={search} />
        </Suspense>
      </Group>
    </Stack>
  )
}

interface TypedFilterProps {
  label: string
  placeholder?: string
  value: string | undefined
  /** Tells whether the text typed so far is a usable value. */
  isComplete?: (text: string) => boolean
  onChange: (value: string | undefined) => void
}

/** A filter that is typed: it takes effect once typing pauses. */
function TypedFilter({
  label,
  placeholder,
  value = '',
  isComplete = () => true,
  onChange,
}: TypedFilterProps) {
  const typed = useTyped(value, (text) => {
    if (text === '' || isComplete(text)) onChange(text || undefined)
  })
  return <TextInput label={label} placeholder={placeholder ?? ''} autoComplete="off" {...typed} />
}
