import { Skeleton, Stack } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Failure } from './Failure.tsx'

interface LoadedProps<Data> {
  query: UseQueryResult<Data>
  children: (data: Data) => ReactNode
}

/** Shows data once it is read. The data stays while it is read again, and also when that fails. */
export function Loaded<Data>({ query, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  return <Waiting />
}

/** Shows nothing for the first 200 ms, in which most answers arrive, and then that the page waits. */
export function Waiting() {
  const { t } = useTranslation()
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 200)
    return () => clearTimeout(timer)
  }, [])
  if (!isLate) return null
  return (
    <Stack gap="sm" role="status" aria-label={t('common.loading')}>
      <Skeleton height={40} />
      <Skeleton height={40} />
      <Skeleton height={40} />
    </Stack>
  )
}
