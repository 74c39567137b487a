import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../api/session.ts'
import type { UserProfile } from '../../api/types.ts'
import { joined } from '../../texts/isolated.ts'
import { Row, Rows } from '../../ui/Rows.tsx'
import { Section } from '../../ui/Section.tsx'
import { exactTime } from '../../ui/Time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useUserName } from '../../ui/user-name.ts'
import { userAddress, useUserSource } from '../../ui/user-source.ts'

/** The ids of a person who was merged from several, each with a button that takes its merge back. */
export function Identities({ user }: { user: UserProfile }) {
  const { identities } = user
  const { t, i18n } = useTranslation()
  const sourceOf = useUserSource()
  const userName = useUserName()
  const mayRespond = useRight('respond')
  const { api, key } = useAgent()
  const undoing = useAction({
    run: async (address: string) => {
      await api.delete(`/users/${encodeURIComponent(address)}/merge`)
      const both = [address, userAddress(user)].map((one) => api.get(`/users/${encodeURIComponent(one)}`))
      const profiles = (await Promise.all(both)).map(({ data }) => data)
      return profiles.filter(({ blocked_at }) => blocked_at !== null)
    },
    refresh: [key('users'), key('user'), key('conversation'), key('inbox')],
    done: (blocked) =>
      [
        t('users.mergeUndone'),
        ...(blocked.length > 1
          ? [t('users.bothBlocked')]
          : blocked.map((one) => t('users.oneBlocked', { name: userName(one) }))),
      ].join(' '),
  })
  if (identities.length < 2) return null
  return (
    <Section title={t('users.ids')} lead={t('users.idsLead')}>
      <Rows label={t('users.ids')}>
        {identities.map(({ merged_into, undo_until, ...one }) => (
          <Row
            key={userAddress(one)}
            title={one.id}
            about={joined([
              sourceOf(one),
              t(`users.proofs.${one.proof}`),
              merged_into === null
                ? t('users.hasProfile')
                : t('users.mergedInto', { into: idOf(merged_into) }),
              merged_into === null
                ? null
                : undo_until === null
                  ? t('users.mergeFinal')
                  : t('users.undoUntil', { until: exactTime(undo_until, i18n.language) }),
            ])}
            actions={
              mayRespond && undo_until !== null ? (
                <Button
                  variant="default"
                  aria-label={t('users.undoMergeOf', { id: one.id })}
                  loading={undoing.isPending && undoing.variables === userAddress(one)}
                  onClick={() => undoing.mutate(userAddress(one))}
                >
                  {t('users.undoMerge')}
                </Button>
              ) : null
            }
          />
        ))}
      </Rows>
    </Section>
  )
}

function idOf(address: string): string {
  return address.slice(address.indexOf(':') + 1)
}
