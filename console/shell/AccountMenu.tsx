import { Menu, Text, UnstyledButton, useMantineColorScheme } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent, useWho } from '../api/session.ts'
import { languages } from '../texts/index.ts'
import {
  KeyboardIcon,
  LanguageIcon,
  LogoutIcon,
  MoonIcon,
  ScreenIcon,
  SunIcon,
  UserIcon,
} from '../ui/icons.tsx'
import { useLanguageChoice } from '../ui/LanguageChoice.tsx'
import { languageName } from '../ui/language-name.ts'
import { useOpenActions } from './open-actions.ts'
import './shell.css'
import { useSignOut } from '../ui/use-sign-out.ts'

const schemes = [
  ['auto', ScreenIcon],
  ['light', SunIcon],
  ['dark', MoonIcon],
] as const

/** The menu of the signed-in person: their account, and the look of the console. */
export function AccountMenu({ children }: { children: ReactNode }) {
  const { t, i18n } = useTranslation()
  const { agents } = useWho()
  const choose = useLanguageChoice()
  const openActions = useOpenActions()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const signOut = useSignOut()
  return (
    <Menu width={240} position="top-start" shadow="md" defaultOpened>
      <Menu.Target>
        <UnstyledButton className="shell-switch">{children}</UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {agents.length > 0 ? <OwnAccountItem /> : null}
        <Menu.Item
          leftSection={<KeyboardIcon />}
          rightSection={<Key>Ctrl K</Key>}
          onClick={() => openActions()}
        >
          {t('shell.actions')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Label>{t('shell.look')}</Menu.Label>
        {schemes.map(([scheme, Drawn]) => (
          <Menu.Item
            key={scheme}
            leftSection={<Drawn />}
            fw={scheme === colorScheme ? 600 : 400}
            aria-current={scheme === colorScheme}
            onClick={() => setColorScheme(scheme)}
          >
            {t(`shell.schemes.${scheme}`)}
          </Menu.Item>
        ))}
        <Menu.Label>{t('shell.language')}</Menu.Label>
        {languages.map((language) => (
          <Menu.Item
            key={language}
            leftSection={<LanguageIcon />}
            fw={language === i18n.language ? 600 : 400}
            aria-current={language === i18n.language}
            lang={language}
            onClick={() => choose(language)}
          >
            {languageName(language)}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<LogoutIcon />} onClick={() => signOut.mutate()}>
          {t('shell.signOut')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function OwnAccountItem() {
  const { t } = useTranslation()
  const { id } = useAgent()
  const navigate = useNavigate()
  return (
    <Menu.Item
      leftSection={<UserIcon />}
      onClick={() =>
        void navigate({ to: '/agents/$agentId/settings/account', params: { agentId: String(id) } })
      }
    >
      {t('shell.ownAccount')}
    </Menu.Item>
  )
}

function Key({ children }: { children: string }) {
  return (
    <Text component="span" c="dimmed" size="xs">
      {children}
    </Text>
  )
}
