import { Box, Group, Text, VisuallyHidden } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useWho } from '../api/session.ts'
import { UserIcon } from '../ui/icons.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { MenuButton } from './MenuButton.tsx'

const AccountMenu = lazyPart(() => import('./AccountMenu.tsx'), 'AccountMenu')

/** The signed-in person, and the way to their menu. */
export function Account() {
  const { t } = useTranslation()
  const { operator } = useWho()
  return (
    <MenuButton menu={AccountMenu}>
      <Group gap="xs" wrap="nowrap">
        <UserIcon />
        <Box flex={1} miw={0}>
          <Text truncate>{operator.name}</Text>
          <VisuallyHidden>{t('shell.account')}</VisuallyHidden>
        </Box>
      </Group>
    </MenuButton>
  )
}
