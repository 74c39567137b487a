import { Button, Group } from '@mantine/core'
import type { QueryKey } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { Refusal } from '../../../api/client.ts'
import { Form } from '../../../ui/Form.tsx'
import { useAction } from '../../../ui/use-action.ts'

interface ProofFormProps {
  action: string
  variant?: 'default' | 'filled'
  /** The error at the field when the service rejects the proof. */
  wrong: string
  done?: string
  refresh: QueryKey[]
  run: (proof: string) => Promise<unknown>
  /** Draws the field. */
  children: (input: {
    value: string
    error: string | null
    onChange: (event: { currentTarget: { value: string } }) => void
  }) => ReactNode
}

/** An action that needs a password or a code, which is forgotten once it has been accepted. */
export function ProofForm(props: ProofFormProps) {
  const { action, variant = 'default', wrong, done, refresh, run, children } = props
  const [proof, setProof] = useState('')
  const [error, setError] = useState<string | null>(null)
  const proving = useAction({
    run: () => run(proof),
    refresh,
    ...(done === undefined ? {} : { done }),
    onDone: () => setProof(''),
    onRefused: (refusal) => {
      const isWrong = refusal instanceof Refusal && refusal.code === 'invalid_login'
      if (isWrong) setError(wrong)
      return isWrong
    },
  })
  return (
    <Form
      onSubmit={() => {
        setError(null)
        proving.mutate()
      }}
    >
      <Group align="flex-end" gap="xs">
        {children({ value: proof, error, onChange: (event) => setProof(event.currentTarget.value) })}
        <Button type="submit" variant={variant} loading={proving.isPending} disabled={proof.trim() === ''}>
          {action}
        </Button>
      </Group>
    </Form>
  )
}
