import { useTranslation } from 'react-i18next'

/** The id of a widget's visitor, as the service generates it. */
const VISITOR = /^visitor_([0-9a-f]{4})[0-9a-f]{28}$/

/** Returns an end user's name, or else their id; for a nameless visitor, the beginning of the id. */
export function useUserName(): (user: { id: string; name?: string | null } | null | undefined) => string {
  const { t } = useTranslation()
  return (user) => {
    if (!user) return t('inbox.somebody')
    const [, number] = VISITOR.exec(user.id) ?? []
    return user.name ?? (number ? t('inbox.visitor', { number }) : user.id)
  }
}
