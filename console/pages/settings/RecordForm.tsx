import type { ModalProps } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { QueryKey } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { markField } from '../../ui/mark-field.ts'
import { useAction } from '../../ui/use-action.ts'
import { type SeededParts, useSeededForm } from '../../ui/use-seeded-form.ts'

interface RecordFormProps<Row, Values, Body> extends SeededParts<Row, Values, Body> {
  title: string
  size?: ModalProps['size']
  /** Null for a new one. */
  record: Row
  /** The queries to read again once it is stored. */
  refresh: QueryKey[]
  onClose: () => void
  children: (form: UseFormReturnType<Values>) => ReactNode
}

/** The dialog in which a record is added or changed. */
export function RecordForm<
  Row extends { version: string } | null,
  Values extends Record<string, unknown>,
  Body extends object,
>({ title, size, record, refresh, onClose, children, ...parts }: RecordFormProps<Row, Values, Body>) {
  const { t } = useTranslation()
  const { form, save } = useSeededForm(record, parts)
  const saving = useAction({
    run: save,
    refresh,
    done: t('common.saved'),
    onDone: onClose,
    onRefused: (error) => markField(form, error),
  })
  return (
    <FormDialog {...(size ? { size } : {})} onClose={onClose} title={title} form={form} storing={saving}>
      {children(form)}
    </FormDialog>
  )
}
