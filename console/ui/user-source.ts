import { useTranslation } from 'react-i18next'

interface SourcedUser {
  id: string
  source: string
}

/** Returns an end user's name in addresses. The same id from two sources means two people. */
export function userAddress({ id, source }: SourcedUser): string {
  return `${source}:${id}`
}

/** Returns the source of an end user's id, in words. */
export function useUserSource(): (user: SourcedUser) => string {
  const { t } = useTranslation()
  return ({ source }) => {
    const [kind, number] = source.split('-')
    return number === undefined
      ? t(`inbox.userSources.${kind === 'widget' ? 'widget' : 'api'}`)
      : t('inbox.userSources.channel', { number })
  }
}
