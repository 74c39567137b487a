import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { teamApi } from '../../../api/client.ts'
import type { Invited } from '../../../api/types.ts'
import { useList } from '../../../api/use-list.ts'
import { PlusIcon } from '../../../ui/icons.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { NextPage } from '../../../ui/NextPage.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Rows } from '../../../ui/Rows.tsx'
import { ShownOnce } from '../../../ui/ShownOnce.tsx'
import { InviteForm } from './InviteForm.tsx'
import { PersonRow } from './PersonRow.tsx'

/** The people of the team. */
export function PeopleSettings() {
  const { t } = useTranslation()
  const [isInviting, inviting] = useDisclosure(false)
  const [invited, setInvited] = useState<Invited | null>(null)
  const people = useList(['operators'], teamApi, '/operators')
  return (
    <Page
      title={t('settings.areas.people')}
      lead={t('people.lead')}
      narrow
      actions={
        <Button leftSection={<PlusIcon />} onClick={inviting.open}>
          {t('people.invite')}
        </Button>
      }
    >
      <Loaded query={people}>
        {({ items }) => (
          <Rows label={t('settings.areas.people')}>
            {items.map((person) => (
              <PersonRow key={person.id} person={person} onLink={setInvited} />
            ))}
          </Rows>
        )}
      </Loaded>
      <NextPage query={people} />
      {isInviting ? (
        <InviteForm
          onClose={inviting.close}
          onInvited={(made) => {
            inviting.close()
            setInvited(made)
          }}
        />
      ) : null}
      {invited ? (
        <ShownOnce
          title={t('people.linkTitle', { name: invited.name })}
          text={t(invited.mailed ? 'people.linkMailed' : 'people.linkText', { email: invited.email })}
          secrets={[{ label: t('people.link'), value: invited.join_url }]}
          onClose={() => setInvited(null)}
        />
      ) : null}
    </Page>
  )
}
