import { Stack } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { Dialog, type DialogProps } from './Dialog.tsx'
import { FormButtons, type FormButtonsProps } from './FormButtons.tsx'

interface FormDialogProps<Values> extends DialogProps, Omit<FormButtonsProps, 'isBusy'> {
  form: UseFormReturnType<Values>
  /** Stores what was typed. */
  storing: { mutate: (values: Values) => void; isPending: boolean }
}

/** A dialog with one form. */
export function FormDialog<Values>(props: FormDialogProps<Values>) {
  const { form, storing, submit, isReady, onClose, children, ...dialog } = props
  return (
    <Dialog onClose={onClose} {...dialog}>
      <form onSubmit={form.onSubmit((values) => storing.mutate(values))} noValidate>
        <Stack>
          {children}
          <FormButtons submit={submit} isReady={isReady} isBusy={storing.isPending} onClose={onClose} />
        </Stack>
      </form>
    </Dialog>
  )
}
