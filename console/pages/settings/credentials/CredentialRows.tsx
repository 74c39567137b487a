import { Text } from '@mantine/core'
import type { QueryKey } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { ApiKey, BearerToken } from '../../../api/types.ts'
import { AskingButton } from '../../../ui/AskingButton.tsx'
import { Mark } from '../../../ui/Mark.tsx'
import { Row, Rows } from '../../../ui/Rows.tsx'
import { Time } from '../../../ui/Time.tsx'

type Credential = ApiKey | BearerToken

interface CredentialRowsProps {
  label: string
  credentials: Credential[]
  revoke: (id: number) => Promise<unknown>
  refresh: QueryKey
}

/** Keys or tokens. A revoked one stays in the list, so that its name can be found later. */
export function CredentialRows({ label, credentials, revoke, refresh }: CredentialRowsProps) {
  const { t } = useTranslation()
  if (credentials.length === 0) return <Text c="dimmed">{t('credentials.none')}</Text>
  return (
    <Rows label={label}>
      {credentials.map((credential) => (
        <Row
          key={credential.id}
          title={credential.name}
          marks={<CredentialMarks credential={credential} />}
          about={
            <>
              {t('credentials.number', { id: credential.id })} · {t('credentials.made')}{' '}
              <Time at={credential.created_at} />
              {'expires_at' in credential && credential.expires_at ? (
                <>
                  {' · '}
                  {t('credentials.expires')} <Time at={credential.expires_at} />
                </>
              ) : null}
            </>
          }
          actions={
            credential.revoked_at ? null : (
              <AskingButton
                label={t('credentials.revoke')}
                title={t('credentials.revokeTitle', { name: credential.name })}
                text={t('credentials.revokeText')}
                run={() => revoke(credential.id)}
                refresh={[refresh]}
                done={t('credentials.revoked')}
              />
            )
          }
        />
      ))}
    </Rows>
  )
}

function CredentialMarks({ credential }: { credential: Credential }) {
  const { t } = useTranslation()
  return (
    <>
      {'right' in credential ? <Mark tone="grey">{t(`rights.${credential.right}`)}</Mark> : null}
      {credential.revoked_at ? <Mark tone="red">{t('credentials.isRevoked')}</Mark> : null}
    </>
  )
}
