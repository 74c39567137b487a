import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { Refusal } from '../api/client.ts'
import { notify, notifyFailure } from './notify.ts'
import { useRefusalText } from './refusal-text.ts'

interface Action<Input, Answer> {
  run: (input: Input) => Promise<Answer>
  /** What has to be read again. */
  refresh?: QueryKey[]
  /** What to say when it has worked. */
  done?: string | ((answer: Answer) => string)
  onDone?: (answer: Answer, input: Input) => void
  /** Takes a refusal in hand, and returns whether it did; otherwise it is shown as a message. */
  onRefused?: (error: unknown, input: Input) => boolean
}

/** Something a person does: it is carried out, what it changed is read again, and how it ended is said. */
export function useAction<Input = void, Answer = unknown>({
  run,
  refresh = [],
  done,
  onDone,
  onRefused,
}: Action<Input, Answer>) {
  const queries = useQueryClient()
  const textOf = useRefusalText()
  const readAgain = () => {
    for (const queryKey of refresh) void queries.invalidateQueries({ queryKey })
  }
  return useMutation({
    mutationFn: run,
    onSuccess: (answer, input) => {
      readAgain()
      if (done !== undefined) notify(typeof done === 'string' ? done : done(answer))
      onDone?.(answer, input)
    },
    onError: (error, input) => {
      if (error instanceof Refusal && error.code === 'version_outdated') readAgain()
      if (!onRefused?.(error, input)) notifyFailure(textOf(error))
    },
  })
}
