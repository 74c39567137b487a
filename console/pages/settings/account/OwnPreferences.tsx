import { Stack, Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type Preference, setPreference, usePreference } from '../../../api/preferences.ts'
import { notifyFailure } from '../../../ui/notify.ts'
import { playSound } from '../../../ui/play-sound.ts'
import { Section } from '../../../ui/Section.tsx'

const names = ['keys', 'next', 'compact', 'sendWithEnter', 'sound', 'notices'] as const satisfies Preference[]

/** A person's preferences in this browser. Each change takes effect at once. */
export function OwnPreferences() {
  const { t } = useTranslation()
  return (
    <Section title={t('account.preferences')} lead={t('account.preferencesLead')}>
      <Stack gap="sm">
        {names.map((name) => (
          <PreferenceSwitch key={name} name={name} />
        ))}
      </Stack>
    </Section>
  )
}

function PreferenceSwitch({ name }: { name: (typeof names)[number] }) {
  const { t } = useTranslation()
  const isOn = usePreference(name)
  const change = async (next: boolean) => {
    if (next && name === 'sound') playSound()
    if (next && name === 'notices' && (await Notification.requestPermission()) !== 'granted')
      return notifyFailure(t('account.noticesDenied'))
    setPreference(name, next)
  }
  return (
    <Switch
      label={t(`account.preference.${name}`)}
      checked={isOn}
      onChange={(event) => void change(event.currentTarget.checked)}
    />
  )
}
