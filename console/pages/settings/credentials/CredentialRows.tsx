import { Button, Text } from '@mantine/core'
import type { QueryKey } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiKey, BearerToken } from '../../../api/types.ts'
import { Confirm } from '../../../ui/Confirm.tsx'
import { Mark } from '../../../ui/Mark.tsx'
import { Row, Rows } from '../../../ui/Rows.tsx'
import { Time } from '../../../ui/Time.tsx'
import { useAction } from '../../../ui/use-action.ts'

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
  const [asked, setAsked] = useState<Credential | null>(null)
  const revoking = useAction({
    run: revoke,
    refresh: [refresh],
    done: t('credentials.revoked'),
    onDone: () => setAsked(null),
  })
  if (credentials.length === 0) return <Text c="dimmed">{t('credentials.none')}</Text>
  return (
    <>
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
                <Button variant="default" onClick={() => setAsked(credential)}>
                  {t('credentials.revoke')}
                </Button>
              )
            }
          />
        ))}
      </Rows>
      {asked ? (
        <Confirm
          title={t('credentials.revokeTitle', { name: asked.name })}
          text={t('credentials.revokeText')}
          action={t('credentials.revoke')}
          isBusy={revoking.isPending}
          onConfirm={() => revoking.mutate(asked.id)}
          onClose={() => setAsked(null)}
        />
      ) : null}
    </>
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
