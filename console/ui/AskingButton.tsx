import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Confirm, type ConfirmProps } from './Confirm.tsx'
import { type Action, useAction } from './use-action.ts'

type Question = Pick<ConfirmProps, 'text' | 'typed' | 'color' | 'children'>

interface AskingButtonProps<Answer> extends Question, Omit<Action<void, Answer>, 'onRefused'> {
  /** The name of the action, a verb. */
  label: string
  /** The name of what it is done to, which tells screen readers one row's button from another's. */
  of?: string
  /** The title of the question, if it is not the label. */
  title?: string
}

/** A button for an action that cannot be undone: it asks first. */
export function AskingButton<Answer>(props: AskingButtonProps<Answer>) {
  const { label, of, title = label, run, refresh, done, onDone, ...question } = props
  const [isAsked, asking] = useDisclosure(false)
  const acting = useAction<void, Answer>({
    run,
    refresh,
    done,
    onDone: (answer) => {
      asking.close()
      onDone?.(answer)
    },
  })
  return (
    <>
      <Button
        variant="default"
        aria-label={of === undefined ? undefined : `${label}: ${of}`}
        onClick={asking.open}
      >
        {label}
      </Button>
      {isAsked ? (
        <Confirm
          {...question}
          title={title}
          action={label}
          isBusy={acting.isPending}
          onConfirm={() => acting.mutate()}
          onClose={asking.close}
        />
      ) : null}
    </>
  )
}
