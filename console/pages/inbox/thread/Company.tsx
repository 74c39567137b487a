import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../../../api/company.ts'
import { useWho } from '../../../api/session.ts'
import { isolated } from '../../../texts/isolated.ts'

/** The others who write in this conversation or look at it. */
export function Company({ conversationId }: { conversationId: string }) {
  const { t, i18n } = useTranslation()
  const company = useCompany(conversationId, useWho().operator.id)
  const names = (isWriting: boolean) =>
    company
      .filter((companion) => companion.isWriting === isWriting)
      .map(({ name }) => isolated(name ?? t('inbox.actors.operator')))
  const list = (of: string[]) => new Intl.ListFormat(i18n.language).format(of)
  const [writing, looking] = [names(true), names(false)]
  return (
    <Text className="company foreign" size="xs" c="dimmed" role="status">
      {[
        writing.length > 0 ? t('inbox.isWriting', { count: writing.length, names: list(writing) }) : '',
        looking.length > 0 ? t('inbox.isLooking', { count: looking.length, names: list(looking) }) : '',
      ]
        .filter((part) => part !== '')
        .join(' · ')}
    </Text>
  )
}
