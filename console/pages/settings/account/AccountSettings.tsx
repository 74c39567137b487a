import { useTranslation } from 'react-i18next'
import { useWho } from '../../../api/session.ts'
import { Page } from '../../../ui/Page.tsx'
import { OwnNotices } from './OwnNotices.tsx'
import { OwnPassword } from './OwnPassword.tsx'
import { OwnPreferences } from './OwnPreferences.tsx'
import { OwnProfile } from './OwnProfile.tsx'
import { OwnSessions } from './OwnSessions.tsx'
import { SecondFactor } from './SecondFactor.tsx'

/** A person's own account. */
export function AccountSettings() {
  const { t } = useTranslation()
  const { operator } = useWho()
  return (
    <Page
      title={t('settings.areas.account')}
      lead={t('account.lead', { email: operator.email, right: t(`rights.${operator.right}`) })}
      narrow
    >
      <OwnProfile />
      <OwnPreferences />
      <OwnNotices />
      <SecondFactor />
      <OwnPassword />
      <OwnSessions />
    </Page>
  )
}
