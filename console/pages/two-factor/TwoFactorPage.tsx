import { Button, Stack } from '@mantine/core'
import { useRouter, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { queries } from '../../api/queries.ts'
import { useWho, whoQuery } from '../../api/session.ts'
import { Doorway } from '../../ui/Doorway.tsx'
import { pageAfter } from '../../ui/page-after.ts'
import { useSignOut } from '../../ui/use-sign-out.ts'
import { SecondFactorSetup } from '../settings/account/SecondFactorSetup.tsx'

/** Guides a person through setting up the second factor that their team requires; until then all else is closed. */
export function TwoFactorPage() {
  const { t } = useTranslation()
  const router = useRouter()
  const { to } = useSearch({ from: '/two-factor' })
  const { operator, team } = useWho()
  const signingOut = useSignOut()
  const goOn = async () => {
    await queries.refetchQueries({ queryKey: whoQuery.queryKey })
    router.history.replace(pageAfter(to))
  }
  return (
    <Doorway
      title={t('twoFactor.requiredTitle')}
      lead={t('twoFactor.requiredLead', { team: team.name, email: operator.email })}
    >
      <Stack>
        <SecondFactorSetup isOn={operator.two_factor} variant="filled" onDone={() => void goOn()} />
        {operator.two_factor ? <Button onClick={() => void goOn()}>{t('twoFactor.goOn')}</Button> : null}
        <Button
          variant="subtle"
          color="gray"
          onClick={() => signingOut.mutate()}
          loading={signingOut.isPending}
        >
          {t('shell.signOut')}
        </Button>
      </Stack>
    </Doorway>
  )
}
