import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DAY_MS } from '../../../../src/lib/clock.ts'
import { teamApi } from '../../../api/client.ts'
import { useList } from '../../../api/use-list.ts'
import { Loaded } from '../../../ui/Loaded.tsx'
import { markField } from '../../../ui/mark-field.ts'
import { NextPage } from '../../../ui/NextPage.tsx'
import { Section } from '../../../ui/Section.tsx'
import { ShownOnce } from '../../../ui/ShownOnce.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { CredentialRows } from './CredentialRows.tsx'

const rights = ['chat', 'read', 'respond', 'manage', 'own'] as const
const lifetimes = ['never', '30', '90', '365'] as const

interface Wish {
  name: string
  right: (typeof rights)[number]
  lasts: (typeof lifetimes)[number]
}

/** The bearer tokens of the team. */
export function TeamTokens() {
  const { t } = useTranslation()
  const [made, setMade] = useState<string | null>(null)
  const tokens = useList(['tokens'], teamApi, '/tokens')
  const form = useForm<Wish>({ initialValues: { name: '', right: 'chat', lasts: 'never' } })
  const making = useAction({
    run: ({ name, right, lasts }: Wish) =>
      teamApi.post('/tokens', {
        name,
        right,
        expires_at: lasts === 'never' ? null : new Date(Date.now() + Number(lasts) * DAY_MS).toISOString(),
      }),
    refresh: [['tokens']],
    onDone: ({ data }) => {
      form.reset()
      setMade(data.bearer_token)
    },
    onRefused: (error) => markField(form, error),
  })
  return (
    <Section title={t('credentials.tokens')} lead={t('credentials.tokensLead')}>
      <Loaded query={tokens}>
        {({ items }) => (
          <CredentialRows
            label={t('credentials.tokens')}
            credentials={items}
            revoke={(id) => teamApi.delete(`/tokens/${id}`)}
            refresh={['tokens']}
          />
        )}
      </Loaded>
      <NextPage query={tokens} />
      <form onSubmit={form.onSubmit((values) => making.mutate(values))}>
        <Group align="flex-end" gap="xs">
          <TextInput
            label={t('credentials.tokenName')}
            placeholder={t('credentials.tokenExample')}
            flex="1 1 200px"
            {...form.getInputProps('name')}
          />
          <NativeSelect
            label={t('people.right')}
            data={rights.map((value) => ({ value, label: t(`rights.${value}`) }))}
            {...form.getInputProps('right')}
          />
          <NativeSelect
            label={t('credentials.lasts')}
            data={lifetimes.map((value) => ({ value, label: t(`credentials.lifetimes.${value}`) }))}
            {...form.getInputProps('lasts')}
          />
          <Button
            type="submit"
            variant="default"
            loading={making.isPending}
            disabled={!form.values.name.trim()}
          >
            {t('credentials.makeToken')}
          </Button>
        </Group>
      </form>
      {made ? (
        <ShownOnce
          title={t('credentials.tokenMade')}
          text={t('credentials.onceText')}
          secrets={[{ label: t('credentials.token'), value: made }]}
          onClose={() => setMade(null)}
        />
      ) : null}
    </Section>
  )
}
