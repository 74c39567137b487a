import { useTranslation } from 'react-i18next'

/** The id of a widget's visitor, as the service makes it up. */
const VISITOR = /^visitor_([0-9a-f]{4})[0-9a-f]{28}$/

/** What an end user is called: by name, else by id; a visitor whom nobody named, by the beginning of theirs. */
export function useUserName(): (user: { id: string; name?: string | null } | null | undefined) => string {
  const { t } = useTranslation()
  return (user) => {
    if (!user) return t('inbox.somebody')
    const [, number] = VISITOR.exec(user.id) ?? []
    return user.name ?? (number ? t('inbox.visitor', { number }) : user.id)
  }
}
