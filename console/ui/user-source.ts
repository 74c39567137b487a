import { useTranslation } from 'react-i18next'

interface SourcedUser {
  id: string
  source: string
}

/** The name of an end user in addresses: the same id of two sources is two people. */
export function userAddress({ id, source }: SourcedUser): string {
  return `${source}:${id}`
}

/** The source of an end user's id, in words. */
export function useUserSource(): (user: SourcedUser) => string {
  const { t } = useTranslation()
  return ({ source }) => {
    const [kind, number] = source.split('-')
    return number === undefined
      ? t(`inbox.userSources.${kind === 'widget' ? 'widget' : 'api'}`)
      : t('inbox.userSources.channel', { number })
  }
}
