import { Button, Group } from '@mantine/core'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'

/** The button that reads the next page of a list. */
export function NextPage({
  query,
}: {
  query: Pick<UseInfiniteQueryResult, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>
}) {
  const { t } = useTranslation()
  if (!query.hasNextPage) return null
  return (
    <Group justify="center">
      <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
        {t('common.more')}
      </Button>
    </Group>
  )
}
