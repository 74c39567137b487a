import { Group, NativeSelect, Table, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { teamApi } from '../../../api/client.ts'
import type { Act } from '../../../api/types.ts'
import { useList } from '../../../api/use-list.ts'
import { isolated, joined } from '../../../texts/isolated.ts'
import { Empty } from '../../../ui/Empty.tsx'
import { HistoryIcon } from '../../../ui/icons.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { endOfDay, startOfDay } from '../../../ui/local-day.ts'
import { NextPage } from '../../../ui/NextPage.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Time } from '../../../ui/Time.tsx'

const kinds = ['operator', 'token', 'command_line', 'system'] as const

/** The audit log: who did what in the team. */
export function AuditSettings() {
  const { t } = useTranslation()
  const [actor, setActor] = useState('')
  const [typed, setTyped] = useState('')
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [action] = useDebouncedValue(typed.trim(), 300)
  const acts = useList(['audit'], teamApi, '/audit', {
    actor,
    action,
    from: from && startOfDay(from),
    to: to && endOfDay(to),
  })
  return (
    <Page title={t('settings.areas.audit')} lead={t('audit.lead')}>
      <Group gap="sm" align="flex-end">
        <NativeSelect
          label={t('audit.actor')}
          value={actor}
          onChange={(event) => setActor(event.currentTarget.value)}
          data={[
            { value: '', label: t('audit.everybody') },
            ...kinds.map((value) => ({ value, label: t(`audit.kinds.${value}`) })),
          ]}
        />
        <TextInput
          label={t('audit.action')}
          placeholder="agent.paused"
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <TextInput
          type="date"
          label={t('audit.from')}
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextInput
          type="date"
          label={t('audit.to')}
          value={to}
          onChange={(event) => setTo(event.currentTarget.value)}
        />
      </Group>
      <Loaded query={acts}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={HistoryIcon} title={t('audit.empty')} text={t('audit.emptyText')} />
          ) : (
            <Table.ScrollContainer minWidth={640} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
              <Table>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>{t('audit.when')}</Table.Th>
                    <Table.Th>{t('audit.actor')}</Table.Th>
                    <Table.Th>{t('audit.action')}</Table.Th>
                    <Table.Th>{t('audit.target')}</Table.Th>
                    <Table.Th>{t('audit.address')}</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {items.map((act) => (
                    <ActRow key={act.id} act={act} />
                  ))}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          )
        }
      </Loaded>
      <NextPage query={acts} />
    </Page>
  )
}

function ActRow({ act }: { act: Act }) {
  const { t } = useTranslation()
  const { at, actor, action, target, details, address } = act
  return (
    <Table.Tr>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        <Time at={at} />
      </Table.Td>
      <Table.Td className="foreign">{actor.name ?? t(`audit.kinds.${actor.kind}`)}</Table.Td>
      <Table.Td>{action}</Table.Td>
      <Table.Td className="foreign">
        {target}
        {details ? (
          <Text c="dimmed" size="xs">
            {joined(
              Object.entries(details).map(
                ([name, value]) =>
                  `${name}: ${typeof value === 'string' ? isolated(value) : JSON.stringify(value)}`,
              ),
            )}
          </Text>
        ) : null}
      </Table.Td>
      <Table.Td className="foreign">{address}</Table.Td>
    </Table.Tr>
  )
}
