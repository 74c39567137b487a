import { Group, NativeSelect, NumberInput, TagsInput, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../../api/session.ts'
import type { KnowledgeImport } from '../../../api/types.ts'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { markField } from '../../../ui/mark-field.ts'
import { useAction } from '../../../ui/use-action.ts'
import { useSeededForm } from '../../../ui/use-seeded-form.ts'

const repeats = ['never', '1d', '7d', '30d'] as const

interface Values extends Record<string, unknown> {
  address: string
  limit: number | string
  every: string
  include: string[]
  exclude: string[]
}

function valuesOf(site: KnowledgeImport | null): Values {
  return {
    address: site?.url ?? site?.sitemap ?? '',
    limit: site?.limit ?? 500,
    every: site?.every ?? 'never',
    include: site?.include ?? [],
    exclude: site?.exclude ?? [],
  }
}

/** Returns the body of a request. The address where a crawl begins cannot be changed. */
function bodyOf({ address, limit, every, ...patterns }: Values, base: KnowledgeImport | null) {
  return {
    ...(base ? {} : { [isSitemap(address) ? 'sitemap' : 'url']: withScheme(address.trim()) }),
    ...patterns,
    limit: Number(limit),
    every: every === 'never' ? null : every,
  }
}

interface SiteFormProps {
  /** The site whose crawls are changed; null to add a new one. */
  site: KnowledgeImport | null
  onClose: () => void
}

/** Adds a site, or changes the next crawl of one. */
export function SiteForm({ site, onClose }: SiteFormProps) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const { form, save } = useSeededForm(site, {
    valuesOf,
    bodyOf,
    send: async (body) => {
      const path = '/knowledge/imports' as const
      const stored = site ? api.patch(`${path}/${site.id}`, body) : api.post(path, body)
      return (await stored).data
    },
  })
  const saving = useAction({
    run: save,
    refresh: [key('knowledge', 'sites')],
    done: t(site ? 'common.saved' : 'knowledge.sites.added'),
    onDone: onClose,
    onRefused: (error) => markField(form, error) || markField(form, error, 'address'),
  })
  const named = repeats.map((value) => ({
    value: value as string,
    label: t(`knowledge.sites.repeats.${value}`),
  }))
  const { every } = form.values
  const isNamed = named.some(({ value }) => value === every)
  return (
    <FormDialog
      onClose={onClose}
      size="lg"
      title={t(site ? 'knowledge.sites.change' : 'knowledge.sites.add')}
      closeOnClickOutside={!form.isDirty()}
      form={form}
      storing={saving}
      submit={t(site ? 'common.save' : 'knowledge.sites.begin')}
      isReady={form.values.address.trim() !== ''}
    >
      {site ? null : (
        <TextInput
          label={t('knowledge.sites.address')}
          description={t('knowledge.sites.addressHint')}
          placeholder="https://example.com/help"
          data-autofocus
          {...form.getInputProps('address')}
        />
      )}
      <Group gap="sm" grow align="flex-start">
        <NumberInput
          label={t('knowledge.sites.limit')}
          min={1}
          max={10_000}
          allowDecimal={false}
          {...form.getInputProps('limit')}
        />
        <NativeSelect
          label={t('knowledge.sites.every')}
          data={isNamed ? named : [...named, { value: every, label: every }]}
          {...form.getInputProps('every')}
        />
      </Group>
      <TagsInput
        label={t('knowledge.sites.include')}
        description={t('knowledge.sites.includeHint')}
        placeholder={form.values.include.length === 0 ? '/help/*' : ''}
        {...form.getInputProps('include')}
      />
      <TagsInput
        label={t('knowledge.sites.exclude')}
        placeholder={form.values.exclude.length === 0 ? '/blog/*' : ''}
        {...form.getInputProps('exclude')}
      />
    </FormDialog>
  )
}

/** Adds the scheme that people leave out when they write `example.com`. */
function withScheme(address: string): string {
  return /^[a-z]+:\/\//i.test(address) ? address : `https://${address}`
}

function isSitemap(address: string): boolean {
  return /\.xml(\.gz)?$/i.test(address.trim().replace(/[?#].*$/, ''))
}
