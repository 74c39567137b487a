import { Stack, type StackProps, Text } from '@mantine/core'

interface MarkedProps extends StackProps {
  /** The path of the fields inside, which a refusal may name where it names none of them. */
  path: string | undefined
  error: unknown
}

/** A part of a form that is marked as a whole: `markField` moves there, and its error stands below the fields. */
export function Marked({ path, error, children, ...stack }: MarkedProps) {
  return (
    <Stack data-path={path} tabIndex={-1} {...stack}>
      {children}
      {error ? (
        <Text c="var(--mantine-color-error)" size="xs" role="alert">
          {String(error)}
        </Text>
      ) : null}
    </Stack>
  )
}
