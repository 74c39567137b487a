import { useTranslation } from 'react-i18next'

interface SourcedUser {
  id: string
  source: string
}

/** How addresses name an end user: the same id of two sources is two people. */
export function userAddress({ id, source }: SourcedUser): string {
  return `${source}:${id}`
}

/** Where an end user's id comes from, in words. */
export function useUserSource(): (user: SourcedUser) => string {
  const { t } = useTranslation()
  return ({ source }) => {
    const [kind, number] = source.split('-')
    return number === undefined
      ? t(`inbox.userSources.${kind === 'widget' ? 'widget' : 'api'}`)
      : t('inbox.userSources.channel', { number })
  }
}
