import { Box } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { Failure } from '../ui/Failure.tsx'

/** The replacement of a page that could not be shown. */
export function BrokenPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  return (
    <Box maw={640} mx="auto" p="lg">
      <Failure
        error={error}
        onRetry={() => {
          reset()
          void router.invalidate()
        }}
      />
    </Box>
  )
}
