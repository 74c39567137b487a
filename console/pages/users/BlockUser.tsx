import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import type { UserProfile } from '../../api/types.ts'
import { Confirm } from '../../ui/Confirm.tsx'
import { useAction } from '../../ui/use-action.ts'
import { userAddress } from '../../ui/user-source.ts'

/** Blocks an end user after a question, and unblocks them at once. */
export function BlockUser({ user, name }: { user: UserProfile; name: string }) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const [isAsked, setIsAsked] = useState(false)
  const setting = useAction({
    run: (blocked: boolean) =>
      api.put(`/users/${encodeURIComponent(userAddress(user))}/blocked`, { blocked }),
    refresh: [key('users'), key('user'), key('conversation'), key('inbox')],
    done: (_, blocked) => t(blocked ? 'users.blockedNow' : 'users.unblockedNow', { name }),
    onDone: () => setIsAsked(false),
  })
  const isBlocked = user.blocked_at !== null
  return (
    <>
      <Button
        variant="default"
        loading={setting.isPending}
        onClick={() => (isBlocked ? setting.mutate(false) : setIsAsked(true))}
      >
        {t(isBlocked ? 'users.unblock' : 'users.block')}
      </Button>
      {isAsked ? (
        <Confirm
          title={t('users.blockTitle', { name })}
          text={t('users.blockText')}
          action={t('users.block')}
          isBusy={setting.isPending}
          onConfirm={() => setting.mutate(true)}
          onClose={() => setIsAsked(false)}
        />
      ) : null}
    </>
  )
}
