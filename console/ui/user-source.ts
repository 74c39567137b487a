import { useTranslation } from 'react-i18next'
import { useChannels } from '../api/channels.ts'

interface SourcedUser {
  id: string
  source: string
}

/** Returns an end user's name in addresses. The same id from two sources means two people. */
export function userAddress({ id, source }: SourcedUser): string {
  return `${source}:${id}`
}

/** Returns the source of an end user's id, in words. */
export function useUserSource(): (user: Pick<SourcedUser, 'source'>) => string {
  const { t } = useTranslation()
  const channels = useChannels().data ?? []
  return ({ source }) => {
    const [kind, number] = source.split('-')
    if (number === undefined) return t(`inbox.userSources.${kind === 'widget' ? 'widget' : 'api'}`)
    const name = channels.find(({ id }) => String(id) === number)?.label
    return name === undefined
      ? t('inbox.userSources.channel', { number })
      : t('inbox.userSources.namedChannel', { name })
  }
}
