import { Button } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AddButton } from '../../ui/AddButton.tsx'
import { TrashIcon } from '../../ui/icons.tsx'
import type { CaseValues } from './case-values.ts'

type List = 'messages' | 'says' | 'expectations' | 'tool_results'

interface CaseItemsProps {
  form: UseFormReturnType<CaseValues>
  list: List
  /** The item that the button adds. */
  added: CaseValues[List][number]
  label: string
  least?: number
  most?: number
  /** Returns the fields of an item. @param removal the button that removes it; null if none may be removed */
  children: (at: number, removal: ReactNode) => ReactNode
}

/** The items of a list of a test case, and the button that adds one. */
export function CaseItems(props: CaseItemsProps) {
  const { form, list, added, label, least = 0, most = Number.POSITIVE_INFINITY, children } = props
  const { t } = useTranslation()
  const { length } = form.values[list]
  const removal = (at: number) => (
    <Button
      variant="subtle"
      color="gray"
      leftSection={<TrashIcon />}
      onClick={() => form.removeListItem(list, at)}
    >
      {t('common.remove')}
    </Button>
  )
  return (
    <>
      {Array.from({ length }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: fields have no other identity
        <Fragment key={at}>{children(at, length > least ? removal(at) : null)}</Fragment>
      ))}
      {length < most ? <AddButton onClick={() => form.insertListItem(list, added)}>{label}</AddButton> : null}
    </>
  )
}
