import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { Refusal } from '../api/client.ts'
import { notify, notifyFailure } from './notify.ts'
import { useRefusalText } from './refusal-text.ts'

export interface Action<Input, Answer> {
  run: (input: Input) => Promise<Answer>
  /** Actions of the same name run one after the other, so that the last one wins. */
  inTurn?: string | undefined
  /** The queries to read again. */
  refresh?: QueryKey[] | undefined
  /** The message after a success. */
  done?: string | ((answer: Answer, input: Input) => string) | undefined
  onDone?: ((answer: Answer, input: Input) => void) | undefined
  /** Handles a refusal and returns true if it did; otherwise the refusal is shown as a message. */
  onRefused?: (error: unknown, input: Input) => boolean
}

/** An action of a person: it runs, the data it changed is read again, and its result is shown. */
export function useAction<Input = void, Answer = unknown>({
  run,
  inTurn,
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
    ...(inTurn === undefined ? {} : { scope: { id: inTurn } }),
    onSuccess: (answer, input) => {
      readAgain()
      if (done !== undefined) notify(typeof done === 'string' ? done : done(answer, input))
      onDone?.(answer, input)
    },
    onError: (error, input) => {
      if (error instanceof Refusal && error.code === 'version_outdated') readAgain()
      if (!onRefused?.(error, input)) notifyFailure(textOf(error))
    },
  })
}
