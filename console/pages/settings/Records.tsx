import { Button } from '@mantine/core'
import type { QueryKey, UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AskingButton } from '../../ui/AskingButton.tsx'
import { Empty, type EmptyProps } from '../../ui/Empty.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { Page } from '../../ui/Page.tsx'
import { Row, Rows } from '../../ui/Rows.tsx'

interface RecordsProps<Data, One> {
  title: string
  lead: string
  query: UseQueryResult<Data>
  itemsOf: (data: Data) => readonly One[]
  /** Stands in place of the rows when there are none. */
  empty: EmptyProps
  /** Stands above the rows. */
  above?: ReactNode
  /** Stands below the rows. */
  below?: ReactNode
  /** The name of a record, which tells screen readers one row's buttons from another's. */
  nameOf: (one: One) => string
  rowOf: (one: One) => { title: string; about: ReactNode }
  texts: { add: string; edit: string; deleteTitle: (one: One) => string; deleteText: string }
  mayAdd: boolean
  mayEdit?: (one: One) => boolean
  /** Makes the form of a record; null for a new one. */
  form: (one: One | null, onClose: () => void) => ReactNode
  remove: (one: One) => Promise<unknown>
  /** The query to read again after a deletion. */
  refresh: QueryKey
}

/** The page of a list of records, which are added, changed and deleted there. */
export function Records<Data, One extends { id: number }>(props: RecordsProps<Data, One>) {
  const { t } = useTranslation()
  const { title, query, itemsOf, texts, nameOf, rowOf, mayAdd, mayEdit = () => mayAdd } = props
  /** The record that is open in the form, as it was at the click; `new` for a new one. */
  const [edited, setEdited] = useState<One | 'new' | null>(null)
  const presentOf = (one: One) =>
    (query.data ? itemsOf(query.data) : []).find(({ id }) => id === one.id) ?? one
  return (
    <Page
      title={title}
      lead={props.lead}
      narrow
      actions={mayAdd ? <Button onClick={() => setEdited('new')}>{texts.add}</Button> : null}
    >
      {props.above}
      <Loaded query={query}>
        {(data) =>
          itemsOf(data).length === 0 ? (
            <Empty {...props.empty} />
          ) : (
            <Rows label={title}>
              {itemsOf(data).map((one) => (
                <Row
                  key={one.id}
                  {...rowOf(one)}
                  actions={
                    mayEdit(one) ? (
                      <>
                        <Button
                          variant="default"
                          aria-label={`${texts.edit}: ${nameOf(one)}`}
                          onClick={() => setEdited(one)}
                        >
                          {texts.edit}
                        </Button>
                        <AskingButton
                          label={t('common.delete')}
                          of={nameOf(one)}
                          title={texts.deleteTitle(one)}
                          text={texts.deleteText}
                          run={() => props.remove(one)}
                          refresh={[props.refresh]}
                        />
                      </>
                    ) : null
                  }
                />
              ))}
            </Rows>
          )
        }
      </Loaded>
      {props.below}
      {edited ? props.form(edited === 'new' ? null : presentOf(edited), () => setEdited(null)) : null}
    </Page>
  )
}
