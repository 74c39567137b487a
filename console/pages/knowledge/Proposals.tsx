import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../api/session.ts'
import type { KnowledgeProposal } from '../../api/types.ts'
import { useList } from '../../api/use-list.ts'
import { ListRows } from '../../ui/ListRows.tsx'
import { Mark } from '../../ui/Mark.tsx'
import { Row } from '../../ui/Rows.tsx'
import { Section } from '../../ui/Section.tsx'
import { Time } from '../../ui/Time.tsx'
import { useAction } from '../../ui/use-action.ts'
import { ConversationLink } from '../rules/ConversationLink.tsx'
import { ProposalForm } from './ProposalForm.tsx'

/** The interval at which a proposal that is being written is looked at. */
const LOOK_EVERY_MS = 1000

/** The entries that were proposed from conversations, for somebody to review. */
export function Proposals() {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const proposals = useList(
    key('knowledge', 'proposals'),
    api,
    '/knowledge/proposals',
    { per_page: 10 },
    ({ items }) => (items.some(({ state }) => state === 'making') ? LOOK_EVERY_MS : false),
  )
  return (
    <Section title={t('knowledge.proposals')} lead={t('knowledge.proposalsLead')}>
      <ListRows
        label={t('knowledge.proposals')}
        query={proposals}
        empty={<Text c="dimmed">{t('knowledge.noProposals')}</Text>}
      >
        {(proposal) => <ProposalRow key={proposal.id} proposal={proposal} />}
      </ListRows>
    </Section>
  )
}

function ProposalRow({ proposal }: { proposal: KnowledgeProposal }) {
  const { t } = useTranslation()
  const mayManage = useRight('manage')
  const [isReviewed, setReviewed] = useState(false)
  const { id, state, question, answer, conversation_id, created_at } = proposal
  return (
    <Row
      title={question ?? t('knowledge.proposalUnwritten')}
      marks={
        state === 'open' ? null : (
          <Mark tone={state === 'failed' ? 'red' : 'grey'}>{t(`knowledge.proposalStates.${state}`)}</Mark>
        )
      }
      about={
        <>
          {answer === null ? null : <Text lineClamp={2}>{answer}</Text>}
          <Time at={created_at} /> · <ConversationLink id={conversation_id} />
        </>
      }
      actions={
        <>
          {mayManage && state === 'open' ? (
            <Button variant="default" onClick={() => setReviewed(true)}>
              {t('knowledge.review')}
            </Button>
          ) : null}
          {mayManage ? <Reject id={id} /> : null}
        </>
      }
    >
      {isReviewed ? <ProposalForm id={id} onClose={() => setReviewed(false)} /> : null}
    </Row>
  )
}

function Reject({ id }: { id: number }) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const rejecting = useAction({
    run: () => api.delete(`/knowledge/proposals/${id}`),
    refresh: [key('knowledge', 'proposals')],
  })
  return (
    <Button variant="subtle" color="gray" loading={rejecting.isPending} onClick={() => rejecting.mutate()}>
      {t('knowledge.reject')}
    </Button>
  )
}
