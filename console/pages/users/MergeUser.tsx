import { Button, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import type { User, UserProfile } from '../../api/types.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Form } from '../../ui/Form.tsx'
import { FormButtons } from '../../ui/FormButtons.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useUserName } from '../../ui/user-name.ts'
import { userAddress, useUserSource } from '../../ui/user-source.ts'
import { MergePreview } from './MergePreview.tsx'

/** The number of people that a search offers. */
const OFFERED = 8

/** Makes an end user one person with another, who is looked for; what the other gets is shown before. */
export function MergeUser({ user }: { user: UserProfile }) {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="default" onClick={() => setIsOpen(true)}>
        {t('users.mergeInto')}
      </Button>
      {isOpen ? <MergeDialog user={user} onClose={() => setIsOpen(false)} /> : null}
    </>
  )
}

function MergeDialog({ user, onClose }: { user: UserProfile; onClose: () => void }) {
  const { t } = useTranslation()
  const userName = useUserName()
  const sourceOf = useUserSource()
  const navigate = useNavigate()
  const { id, api, key } = useAgent()
  const [typed, setTyped] = useState('')
  const [q] = useDebouncedValue(typed.trim(), 300)
  const [into, setInto] = useState<User | null>(null)
  const found = useQuery({
    queryKey: key('users', 'merge', q),
    queryFn: async ({ signal }) =>
      (await api.get('/users', { ...(q ? { q } : {}), per_page: OFFERED + 1 }, signal)).data,
    placeholderData: (previous) => previous,
  })
  const merging = useAction({
    run: (into: User) =>
      api.post(`/users/${encodeURIComponent(userAddress(user))}/merge`, { into: userAddress(into) }),
    refresh: [key('users'), key('user'), key('conversation'), key('inbox')],
    done: (_, into) => t('users.merged', { name: userName(user), into: userName(into) }),
    onDone(_, into) {
      onClose()
      const params = { agentId: String(id), userId: userAddress(into) }
      void navigate({ to: '/agents/$agentId/users/$userId', params })
    },
  })
  return (
    <Dialog onClose={onClose} title={t('users.mergeTitle', { name: userName(user) })}>
      <Form
        onSubmit={() => {
          if (into) merging.mutate(into)
        }}
      >
        <Stack>
          <Text>{t('users.mergeText')}</Text>
          <TextInput
            label={t('users.mergeWith')}
            placeholder={t('users.find')}
            value={typed}
            onChange={(event) => {
              setTyped(event.currentTarget.value)
              setInto(null)
            }}
            autoComplete="off"
            data-autofocus
          />
          <Loaded query={found}>
            {(people) => {
              const others = people.filter((one) => userAddress(one) !== userAddress(user)).slice(0, OFFERED)
              if (others.length === 0) return <Text c="dimmed">{t('users.noMatch')}</Text>
              return (
                <Radio.Group
                  aria-label={t('users.mergeWith')}
                  value={into ? userAddress(into) : null}
                  onChange={(address) => setInto(others.find((one) => userAddress(one) === address) ?? null)}
                >
                  <Stack gap="xs">
                    {others.map((one) => (
                      <Radio
                        key={userAddress(one)}
                        value={userAddress(one)}
                        label={<bdi>{userName(one)}</bdi>}
                        description={
                          <>
                            {userName(one) === one.id ? null : (
                              <>
                                <bdi>{one.id}</bdi> ·{' '}
                              </>
                            )}
                            {sourceOf(one)}
                          </>
                        }
                        className="foreign"
                      />
                    ))}
                  </Stack>
                </Radio.Group>
              )
            }}
          </Loaded>
          {into ? <MergePreview user={user} into={into} /> : null}
          <FormButtons
            submit={t('users.merge')}
            isReady={into !== null}
            isBusy={merging.isPending}
            onClose={onClose}
          />
        </Stack>
      </Form>
    </Dialog>
  )
}
