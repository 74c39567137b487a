import { Group, NumberInput, Stack, Switch, Table, Text, TextInput } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { teamApi } from '../../../api/client.ts'
import type { NoticeSettings } from '../../../api/types.ts'
import { Loaded } from '../../../ui/Loaded.tsx'
import { Section } from '../../../ui/Section.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { PushBrowsers } from './PushBrowsers.tsx'

const KEY = ['notice-settings']
const kinds = ['mention', 'assigned', 'waiting', 'reply', 'due', 'failed'] as const
const media = {
  page: 'account.noticesPage',
  mail: 'account.noticesMail',
  push: 'account.noticesPush',
} as const
const names = ['page', 'mail', 'push'] as const

/** The ways in which a person gets notices. Each change takes effect at once. */
export function OwnNotices() {
  const { t } = useTranslation()
  const query = useQuery({
    queryKey: KEY,
    queryFn: async () => (await teamApi.get('/notices/settings')).data,
  })
  return (
    <Section title={t('account.noticesTitle')} lead={t('account.noticesLead')}>
      <Loaded query={query}>{(settings) => <Choices settings={settings} />}</Loaded>
    </Section>
  )
}

function Choices({ settings }: { settings: NoticeSettings }) {
  const { t } = useTranslation()
  const queries = useQueryClient()
  const saving = useAction({
    run: ({ mail: _, ...body }: NoticeSettings) => teamApi.put('/notices/settings', body),
    inTurn: 'notice-settings',
    done: t('account.noticesSaved'),
    onRefused: () => {
      void queries.invalidateQueries({ queryKey: KEY })
      return false
    },
  })
  // Shown at once, so that the next change is one of these settings and not of those before.
  const change = (part: Partial<NoticeSettings>) => {
    const changed = { ...settings, ...part }
    queries.setQueryData(KEY, changed)
    saving.mutate(changed)
  }
  const { digest, mail } = settings
  return (
    <Stack gap="sm">
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Td />
            {names.map((medium) => (
              <Table.Th key={medium}>{t(media[medium])}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {kinds.map((kind) => (
            <Table.Tr key={kind}>
              <Table.Th fw={400}>{t(`account.noticeKinds.${kind}`)}</Table.Th>
              {names.map((medium) => (
                <Table.Td key={medium}>
                  <Switch
                    aria-label={`${t(`account.noticeKinds.${kind}`)}: ${t(media[medium])}`}
                    checked={settings.kinds[kind][medium]}
                    disabled={medium === 'mail' && !mail}
                    onChange={({ currentTarget: { checked } }) =>
                      change({
                        kinds: { ...settings.kinds, [kind]: { ...settings.kinds[kind], [medium]: checked } },
                      })
                    }
                  />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Switch
        label={t('account.noticesDetails')}
        checked={settings.details}
        onChange={({ currentTarget: { checked } }) => change({ details: checked })}
      />
      <PushBrowsers />
      {mail ? (
        <>
          <NumberInput
            label={t('account.noticesAfter')}
            min={1}
            max={1440}
            maw={320}
            key={settings.after_minutes}
            defaultValue={settings.after_minutes}
            onBlur={({ currentTarget: { value } }) => {
              const minutes = Number(value)
              if (minutes >= 1 && minutes !== settings.after_minutes) change({ after_minutes: minutes })
            }}
          />
          <Group gap="md">
            <Switch
              label={t('account.noticesDigest')}
              checked={digest !== null}
              onChange={({ currentTarget: { checked } }) =>
                change({ digest: checked ? { at: '08:00', time_zone: ownZone() } : null })
              }
            />
            {digest ? (
              <TextInput
                type="time"
                aria-label={t('account.noticesAt')}
                key={digest.at}
                defaultValue={digest.at}
                onBlur={({ currentTarget: { value } }) => {
                  if (value !== '' && value !== digest.at)
                    change({ digest: { at: value, time_zone: ownZone() } })
                }}
              />
            ) : null}
          </Group>
        </>
      ) : (
        <Text c="dimmed" size="sm">
          {t('account.noticesNoMail')}
        </Text>
      )}
    </Stack>
  )
}

function ownZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone
}
