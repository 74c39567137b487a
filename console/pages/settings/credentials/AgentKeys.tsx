import { Button, Group, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { teamApi } from '../../../api/client.ts'
import { useAgent } from '../../../api/session.ts'
import { useList } from '../../../api/use-list.ts'
import { Loaded } from '../../../ui/Loaded.tsx'
import { markField } from '../../../ui/mark-field.ts'
import { NextPage } from '../../../ui/NextPage.tsx'
import { Section } from '../../../ui/Section.tsx'
import { ShownOnce } from '../../../ui/ShownOnce.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { CredentialRows } from './CredentialRows.tsx'

/** The API keys of the agent. */
export function AgentKeys() {
  const { t } = useTranslation()
  const { id, name, key } = useAgent()
  const [made, setMade] = useState<string | null>(null)
  const path = `/agents/${id}/keys` as const
  const keys = useList(key('keys'), teamApi, path)
  const form = useForm({ initialValues: { name: '' } })
  const making = useAction({
    run: (values: { name: string }) => teamApi.post(path, values),
    refresh: [key('keys')],
    onDone: ({ data }) => {
      form.reset()
      setMade(data.api_key)
    },
    onRefused: (error) => markField(form, error),
  })
  return (
    <Section title={t('credentials.keys', { name })} lead={t('credentials.keysLead')}>
      <Loaded query={keys}>
        {({ items }) => (
          <CredentialRows
            label={t('credentials.keys', { name })}
            credentials={items}
            revoke={(keyId) => teamApi.delete(`${path}/${keyId}`)}
            refresh={key('keys')}
          />
        )}
      </Loaded>
      <NextPage query={keys} />
      <form onSubmit={form.onSubmit((values) => making.mutate(values))}>
        <Group align="flex-end" gap="xs">
          <TextInput
            label={t('credentials.keyName')}
            placeholder={t('credentials.keyExample')}
            flex="1 1 200px"
            {...form.getInputProps('name')}
          />
          <Button
            type="submit"
            variant="default"
            loading={making.isPending}
            disabled={!form.values.name.trim()}
          >
            {t('credentials.makeKey')}
          </Button>
        </Group>
      </form>
      {made ? (
        <ShownOnce
          title={t('credentials.keyMade')}
          text={t('credentials.onceText')}
          secrets={[{ label: t('credentials.key'), value: made }]}
          onClose={() => setMade(null)}
        />
      ) : null}
    </Section>
  )
}
