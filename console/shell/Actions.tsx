import { Kbd, Modal, Table, useMantineColorScheme } from '@mantine/core'
import type { UseDisclosureReturnValue } from '@mantine/hooks'
import {
  Spotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
  spotlight,
} from '@mantine/spotlight'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { includes, useAgent, useWho } from '../api/session.ts'
import { copyText } from '../ui/copy-text.ts'
import { SearchIcon } from '../ui/icons.tsx'
import { usePageActions } from '../ui/page-actions.ts'
import { useAction } from '../ui/use-action.ts'
import { useSignOut } from '../ui/use-sign-out.ts'
import { useActionsAsked } from './actions-asked.ts'
import { pages } from './pages.ts'
import { usePause } from './use-pause.tsx'

/** All actions that are available anywhere: under Ctrl+K by name, and by keys, which `?` lists. */
export function Actions({ help }: ActionsProps) {
  const { agents } = useWho()
  return agents.length > 0 ? <ActionsOfAgent help={help} /> : null
}

interface ActionsProps {
  /** Tells whether the list of keys is open, and opens it. */
  help: UseDisclosureReturnValue
}

function ActionsOfAgent({ help: [areKeysShown, keys] }: ActionsProps) {
  const { t } = useTranslation()
  const { operator, agents } = useWho()
  const agent = useAgent()
  const navigate = useNavigate()
  const pausing = usePause()
  const signOut = useSignOut()
  const { toggleColorScheme } = useMantineColorScheme()
  const params = { agentId: String(agent.id) }
  const shown = pages.filter(({ right }) => includes(operator.right, right))
  const onPage = usePageActions()
  const replies = useReplies()
  useActionsAsked(spotlight.open)
  const everywhere: SpotlightActionData[] = [
    ...shown.map(({ name, to, icon: Drawn }) => ({
      id: `page ${name}`,
      label: t(`pages.${name}`),
      leftSection: <Drawn />,
      onClick: () => void navigate({ to, params }),
    })),
    ...agents
      .filter(({ id }) => id !== agent.id)
      .map(({ id, name }) => ({
        id: `agent ${id}`,
        label: t('shell.openAgent', { name }),
        onClick: () => void navigate({ to: '/agents/$agentId', params: { agentId: String(id) } }),
      })),
    ...(includes(operator.right, 'manage')
      ? [
          {
            id: 'pause',
            label: agent.isPaused ? t('shell.resume') : t('shell.pause'),
            onClick: () => pausing.press(!agent.isPaused),
          },
        ]
      : []),
    { id: 'scheme', label: t('shell.switchLook'), onClick: toggleColorScheme },
    { id: 'keys', label: t('shell.keys'), onClick: keys.open },
    { id: 'sign-out', label: t('shell.signOut'), onClick: () => signOut.mutate() },
  ]
  const actions: SpotlightActionGroupData[] = [
    {
      group: t('shell.onThisPage'),
      actions: onPage.map(({ id, label, key, run }) => ({
        id: `here ${id}`,
        label,
        onClick: run,
        ...(key === undefined ? {} : { rightSection: <Kbd>{key}</Kbd> }),
      })),
    },
    { group: t('shell.everywhere'), actions: everywhere },
    { group: t('shell.replies'), actions: replies },
  ].filter(({ actions }) => actions.length > 0)
  return (
    <>
      <Spotlight
        actions={actions}
        nothingFound={t('shell.noAction')}
        searchProps={{
          leftSection: <SearchIcon />,
          placeholder: t('shell.findAction'),
          'aria-label': t('shell.findAction'),
        }}
        shortcut={null}
        attributes={{ content: { 'aria-label': t('shell.findAction') } }}
        highlightQuery
        scrollable
        maxHeight={420}
      />
      {pausing.question}
      <Modal
        opened={areKeysShown}
        onClose={keys.close}
        title={t('shell.keys')}
        closeButtonProps={{ 'aria-label': t('common.close') }}
      >
        <Table>
          <Table.Tbody>
            <KeyRow keys={['Ctrl', 'K']} meaning={t('shell.actions')} />
            <KeyRow keys={['?']} meaning={t('shell.keys')} />
            <KeyRow keys={['/']} meaning={t('pages.search')} />
            {onPage.map(({ id, label, key }) =>
              key === undefined ? null : <KeyRow key={`here ${id}`} keys={key.split(' ')} meaning={label} />,
            )}
            {shown.map(({ name, letter }) => (
              <KeyRow key={name} keys={['g', letter]} meaning={t(`pages.${name}`)} />
            ))}
          </Table.Tbody>
        </Table>
      </Modal>
    </>
  )
}

/** Returns the canned replies as actions that copy them. */
function useReplies(): SpotlightActionData[] {
  const { t } = useTranslation()
  const { operator } = useWho()
  const { api, key } = useAgent()
  const replies = useQuery({
    queryKey: key('replies', 'all'),
    queryFn: async () => (await api.get('/replies', { per_page: 100 })).data,
    enabled: includes(operator.right, 'respond'),
    refetchOnWindowFocus: false,
    staleTime: 60_000,
  })
  const copying = useAction({ run: copyText, done: t('shell.replyCopied') })
  return (replies.data ?? []).map(({ id, shortcut, content }) => ({
    id: `reply ${id}`,
    label: t('shell.copyReply', { shortcut }),
    description: content.slice(0, 120),
    onClick: () => copying.mutate(content),
  }))
}

function KeyRow({ keys, meaning }: { keys: string[]; meaning: string }) {
  return (
    <Table.Tr>
      <Table.Td w={120}>
        {keys.map((key) => (
          <Kbd key={key} mr={4}>
            {key}
          </Kbd>
        ))}
      </Table.Td>
      <Table.Td>{meaning}</Table.Td>
    </Table.Tr>
  )
}
