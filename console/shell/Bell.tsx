import { Button, Group, Popover, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import { teamApi } from '../api/client.ts'
import { BellIcon } from '../ui/BellIcon.tsx'
import { NextPage } from '../ui/NextPage.tsx'
import { useAction } from '../ui/use-action.ts'
import { NoticeLine } from './NoticeLine.tsx'
import { NOTICES, useNotices } from './use-notices.ts'
import './notices.css'

/** The notices of the signed-in person, with the number of those that they have not read. */
export function Bell() {
  const { t } = useTranslation()
  const notices = useNotices()
  const [isOpen, { toggle, close }] = useDisclosure()
  const reading = useAction({ run: () => teamApi.put('/notices/read', {}), refresh: [NOTICES] })
  const { items = [], unread = 0 } = notices.data ?? {}
  return (
    <Popover opened={isOpen} onDismiss={close} position="right-end" width={360} shadow="md" trapFocus>
      <Popover.Target>
        <UnstyledButton
          className="shell-switch"
          onClick={toggle}
          aria-label={unread > 0 ? t('notices.unread', { count: unread }) : t('notices.title')}
        >
          <Group gap="sm" wrap="nowrap">
            <BellIcon />
            <Text flex={1}>{t('notices.title')}</Text>
            {unread > 0 ? (
              <Text component="span" className="notices-count numbers" size="xs" data-count={unread} />
            ) : null}
          </Group>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label={t('notices.title')}>
        {notices.data && items.length === 0 ? (
          <Text c="dimmed" size="sm" p="sm">
            {t('notices.none')}
          </Text>
        ) : null}
        <ul className="notices-list">
          {items.map((notice) => (
            <NoticeLine key={notice.id} notice={notice} onOpened={close} />
          ))}
          {notices.hasNextPage ? (
            <li>
              <NextPage query={notices} />
            </li>
          ) : null}
        </ul>
        {unread > 0 ? (
          <Button variant="subtle" fullWidth loading={reading.isPending} onClick={() => reading.mutate()}>
            {t('notices.readAll')}
          </Button>
        ) : null}
      </Popover.Dropdown>
    </Popover>
  )
}
