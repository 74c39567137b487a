import { Anchor, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { teamApi } from '../../../api/client.ts'
import { CopyText } from '../../../ui/CopyText.tsx'
import { ShownOnce } from '../../../ui/ShownOnce.tsx'
import { PasswordProof } from './PasswordProof.tsx'
import { ProofForm } from './ProofForm.tsx'
import { QrCode } from './QrCode.tsx'

interface Prepared {
  /** The password, which is needed again to turn it on. */
  present: string
  secret: string
  /** The address in the QR code. */
  address: string
}

interface SecondFactorSetupProps {
  isOn: boolean
  variant?: 'default' | 'filled'
  /** Called when it is on and the recovery codes were copied. */
  onDone?: () => void
}

/** The setup of a second factor: prepared with the password, turned on with one of its codes. */
export function SecondFactorSetup({ isOn, variant = 'default', onDone }: SecondFactorSetupProps) {
  const { t } = useTranslation()
  const [prepared, setPrepared] = useState<Prepared | null>(null)
  const [recoveryCodes, setRecoveryCodes] = useState<string[] | null>(null)
  return (
    <>
      {isOn || prepared ? null : (
        <PasswordProof
          action={t('twoFactor.begin')}
          variant={variant}
          run={async (present) => {
            const { data } = await teamApi.post('/two-factor', { present })
            setPrepared({ present, ...data })
          }}
        />
      )}
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
          onClose={() => {
            setRecoveryCodes(null)
            onDone?.()
          }}
        />
      ) : null}
    </>
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
      <Anchor href={prepared.address} size="secondary">
        {t('twoFactor.onThisDevice')}
      </Anchor>
      <CopyText label={t('twoFactor.secret')} value={prepared.secret} />
      <ProofForm
        action={t('twoFactor.turnOn')}
        variant="filled"
        wrong={t('twoFactor.wrongCode')}
        refresh={[['who'], ['sessions']]}
        run={async (code) => {
          const body = { present: prepared.present, code }
          const { data } = await teamApi.put('/two-factor', body)
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
