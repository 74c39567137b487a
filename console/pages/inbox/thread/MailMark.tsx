import { useTranslation } from 'react-i18next'
import type { Message } from '../../../api/types.ts'
import { Mark } from '../../../ui/Mark.tsx'
import { Time } from '../../../ui/Time.tsx'

interface MailMarkProps {
  mailed: NonNullable<Message['mailed']>
  delivery: Message['delivery']
}

/** Says that a message of a widget's conversation went by mail, to whom, and when. */
export function MailMark({ mailed: { to, at }, delivery }: MailMarkProps) {
  const { t } = useTranslation()
  const outcome = delivery === 'sent' || delivery === 'read' ? 'sent' : 'tried'
  return (
    <Mark tone="grey">
      {to === null ? t(`mailed.${outcome}`) : t(`mailed.${outcome}To`, { to })}, <Time at={at} />
    </Mark>
  )
}
