import { Group, PasswordInput, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { teamApi } from '../../../api/client.ts'
import { useWho } from '../../../api/session.ts'
import type { Single } from '../../../api/types.ts'
import { CopyText } from '../../../ui/CopyText.tsx'
import { Mark } from '../../../ui/Mark.tsx'
import { Section } from '../../../ui/Section.tsx'
import { ShownOnce } from '../../../ui/ShownOnce.tsx'
import { ProofForm } from './ProofForm.tsx'
import { QrCode } from './QrCode.tsx'

interface Prepared {
  /** Needed once more to turn it on. */
  present: string
  secret: string
  /** What the QR code says. */
  address: string
}

/** The second factor: prepared with the password, on once a code of it has been typed. */
export function SecondFactor() {
  const { t } = useTranslation()
  const { operator } = useWho()
  const [prepared, setPrepared] = useState<Prepared | null>(null)
  const [recoveryCodes, setRecoveryCodes] = useState<string[] | null>(null)
  return (
    <Section title={t('twoFactor.title')} lead={t('twoFactor.lead')}>
      <Group>
        {operator.two_factor ? (
          <Mark tone="green">{t('twoFactor.isOn')}</Mark>
        ) : (
          <Mark tone="grey">{t('twoFactor.isOff')}</Mark>
        )}
      </Group>
      {operator.two_factor ? <TurnOff /> : null}
      {operator.two_factor || prepared ? null : <Prepare onPrepared={setPrepared} />}
      {prepared ? (
        <TurnOn
          prepared={prepared}
          onDone={(codes) => {
            setPrepared(null)
            setRecoveryCodes(codes)
          }}
        />
      ) : null}
      {recoveryCodes ? (
        <ShownOnce
          title={t('twoFactor.recoveryTitle')}
          text={t('twoFactor.recoveryText')}
          secrets={[{ label: t('twoFactor.recoveryCodes'), value: recoveryCodes.join('\n') }]}
          onClose={() => setRecoveryCodes(null)}
        />
      ) : null}
    </Section>
  )
}

function Prepare({ onPrepared }: { onPrepared: (prepared: Prepared) => void }) {
  const { t } = useTranslation()
  return (
    <WithPassword
      action={t('twoFactor.begin')}
      run={async (present) => {
        const { data } = await teamApi.post<Single<Omit<Prepared, 'present'>>>('/two-factor', { present })
        onPrepared({ present, ...data })
      }}
    />
  )
}

function TurnOff() {
  const { t } = useTranslation()
  return (
    <WithPassword
      action={t('twoFactor.turnOff')}
      done={t('twoFactor.turnedOff')}
      run={(present) => teamApi.delete('/two-factor', { present })}
    />
  )
}

interface WithPasswordProps {
  action: string
  done?: string
  run: (present: string) => Promise<unknown>
}

/** Something that only the owner of the account may do. */
function WithPassword(props: WithPasswordProps) {
  const { t } = useTranslation()
  return (
    <ProofForm {...props} wrong={t('account.wrongPassword')} refresh={[['who']]}>
      {(input) => (
        <PasswordInput
          label={t('account.present')}
          flex="1 1 240px"
          autoComplete="current-password"
          visibilityToggleButtonProps={{ 'aria-label': t('common.showPassword') }}
          {...input}
        />
      )}
    </ProofForm>
  )
}

interface TurnOnProps {
  prepared: Prepared
  onDone: (recoveryCodes: string[]) => void
}

function TurnOn({ prepared, onDone }: TurnOnProps) {
  const { t } = useTranslation()
  return (
    <Stack>
      <Text>{t('twoFactor.scan')}</Text>
      <QrCode text={prepared.address} label={t('twoFactor.qrLabel')} />
      <CopyText label={t('twoFactor.secret')} value={prepared.secret} />
      <ProofForm
        action={t('twoFactor.turnOn')}
        variant="filled"
        wrong={t('twoFactor.wrongCode')}
        refresh={[['who'], ['sessions']]}
        run={async (code) => {
          const body = { present: prepared.present, code }
          const { data } = await teamApi.put<Single<{ recovery_codes: string[] }>>('/two-factor', body)
          onDone(data.recovery_codes)
        }}
      >
        {(input) => (
          <TextInput
            label={t('twoFactor.code')}
            flex="1 1 160px"
            inputMode="numeric"
            autoComplete="one-time-code"
            {...input}
          />
        )}
      </ProofForm>
    </Stack>
  )
}
