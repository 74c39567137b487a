import { Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { teamApi } from '../../../api/client.ts'
import { useWho } from '../../../api/session.ts'
import { Mark } from '../../../ui/Mark.tsx'
import { Section } from '../../../ui/Section.tsx'
import { PasswordProof } from './PasswordProof.tsx'
import { SecondFactorSetup } from './SecondFactorSetup.tsx'

/** The second factor of the person's own account. */
export function SecondFactor() {
  const { t } = useTranslation()
  const { operator, team } = useWho()
  const isOn = operator.two_factor
  return (
    <Section title={t('twoFactor.title')} lead={t('twoFactor.lead')}>
      <Group>
        <Mark tone={isOn ? 'green' : 'grey'}>{isOn ? t('twoFactor.isOn') : t('twoFactor.isOff')}</Mark>
      </Group>
      {isOn && team.require_two_factor ? (
        <Text c="dimmed">{t('twoFactor.teamRequiresIt', { team: team.name })}</Text>
      ) : null}
      {isOn && !team.require_two_factor ? (
        <PasswordProof
          action={t('twoFactor.turnOff')}
          done={t('twoFactor.turnedOff')}
          run={(present) => teamApi.delete('/two-factor', { present })}
        />
      ) : null}
      <SecondFactorSetup isOn={isOn} />
    </Section>
  )
}
