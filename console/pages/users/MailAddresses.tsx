import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import type { UserProfile } from '../../api/types.ts'
import { Mark } from '../../ui/Mark.tsx'
import { Row, Rows } from '../../ui/Rows.tsx'
import { Section } from '../../ui/Section.tsx'
import { Time } from '../../ui/Time.tsx'

/** The addresses that an end user has left in widgets, and whether mail goes there. */
export function MailAddresses({ mail }: Pick<UserProfile, 'mail'>) {
  const { t } = useTranslation()
  const { id } = useAgent()
  if (mail.length === 0) return null
  return (
    <Section title={t('users.mail')} lead={t('users.mailLead')}>
      <Rows label={t('users.mail')}>
        {mail.map(({ address, state, stopped_by, conversation_id, left_at }) => (
          <Row
            key={`${conversation_id} ${address} ${left_at}`}
            title={address}
            link={{
              to: '/agents/$agentId/inbox/$conversationId',
              params: { agentId: String(id), conversationId: conversation_id },
            }}
            about={<Time at={left_at} />}
            marks={
              <Mark tone={state === 'confirmed' ? 'green' : stopped_by === 'bounced' ? 'red' : 'grey'}>
                {stopped_by ? t(`users.mailStopped.${stopped_by}`) : t(`users.mailStates.${state}`)}
              </Mark>
            }
          />
        ))}
      </Rows>
    </Section>
  )
}
