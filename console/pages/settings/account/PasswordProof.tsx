import { PasswordInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ProofForm } from './ProofForm.tsx'

interface PasswordProofProps {
  action: string
  variant?: 'default' | 'filled'
  done?: string
  run: (present: string) => Promise<unknown>
}

/** An action that only the owner of the account may do, with their password. */
export function PasswordProof(props: PasswordProofProps) {
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
