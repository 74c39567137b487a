import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { teamApi } from '../../../api/client.ts'
import { useWho } from '../../../api/session.ts'
import type { Invited, Operator } from '../../../api/types.ts'
import { AskingButton } from '../../../ui/AskingButton.tsx'
import { Mark } from '../../../ui/Mark.tsx'
import { Row } from '../../../ui/Rows.tsx'
import { Time } from '../../../ui/Time.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { RightChoice } from './RightChoice.tsx'
import { hasScope, ScopeChoice, type Seen } from './ScopeChoice.tsx'

interface PersonRowProps {
  person: Operator
  /** Called with the link of a reset. */
  onLink: (invited: Invited) => void
}

/** A person of the team, with the changes that an owner can make. */
export function PersonRow({ person, onLink }: PersonRowProps) {
  const { t } = useTranslation()
  const {
    id,
    version,
    name,
    email,
    right,
    scope,
    unassigned,
    active,
    two_factor,
    single_sign_on,
    last_seen_at,
  } = person
  const { operator, team } = useWho()
  const isSelf = operator.id === id
  const lacksTwoFactor = team.require_two_factor && active && !two_factor && !single_sign_on
  const refresh = [['operators'], ['who']]
  const changing = useAction({
    run: (patch: Partial<Pick<Operator, 'right' | 'active'> & Seen>) =>
      teamApi.patch(`/operators/${id}`, { ...patch, version }),
    refresh,
    done: t('common.saved'),
  })
  return (
    <Row
      title={name}
      marks={
        <>
          {isSelf ? <Mark tone="grey">{t('people.you')}</Mark> : null}
          {active ? null : <Mark tone="red">{t('people.disabled')}</Mark>}
          {two_factor ? <Mark tone="green">{t('people.twoFactor')}</Mark> : null}
          {lacksTwoFactor ? <Mark tone="amber">{t('people.noTwoFactor')}</Mark> : null}
        </>
      }
      about={
        <>
          {email} ·{' '}
          {last_seen_at ? (
            <>
              {t('people.lastSeen')} <Time at={last_seen_at} />
            </>
          ) : (
            t('people.neverSeen')
          )}
        </>
      }
      actions={
        <>
          <RightChoice
            aria-label={t('people.rightOf', { name })}
            value={right}
            onChange={(event) => changing.mutate({ right: event.currentTarget.value as Operator['right'] })}
            w={130}
            isShort
          />
          {hasScope(right) ? (
            <ScopeChoice
              aria-label={t('people.scopeOf', { name })}
              value={{ scope, unassigned }}
              onChange={(seen) => changing.mutate(seen)}
              w={200}
            />
          ) : null}
          {isSelf ? null : (
            <>
              <AskingButton
                label={t('people.reset')}
                title={t('people.resetTitle', { name })}
                text={t('people.resetText')}
                run={() => teamApi.post(`/operators/${id}/reset`)}
                refresh={refresh}
                onDone={({ data }) => onLink(data)}
              />
              <Button variant="default" onClick={() => changing.mutate({ active: !active })}>
                {active ? t('people.disable') : t('people.enable')}
              </Button>
              <AskingButton
                label={t('common.remove')}
                title={t('people.removeTitle', { name })}
                text={t('people.removeText')}
                typed={email}
                run={() => teamApi.delete(`/operators/${id}`)}
                refresh={refresh}
                done={t('people.removed', { name })}
              />
            </>
          )}
        </>
      }
    />
  )
}
