import { type UseFormReturnType, useForm } from '@mantine/form'
import { useEffect, useRef, useState } from 'react'

interface SeededForm<Row, Values extends Record<string, unknown>> {
  form: UseFormReturnType<Values>
  /** The record that the form was last filled from: its version goes with a change, and only what differs is sent. */
  base: Row
  /** Takes a record that was just saved as the base. */
  setBase: (saved: Row) => void
}

/**
 * A form over a record that others can change. It follows the record while nothing is typed. What is typed stays, and
 * the service then refuses the outdated version until the changes are discarded.
 */
export function useSeededForm<Row, Values extends Record<string, unknown>>(
  record: Row,
  valuesOf: (record: Row) => Values,
): SeededForm<Row, Values> {
  const [base, setBase] = useState(record)
  const followed = useRef(record)
  const form = useForm<Values>({ initialValues: valuesOf(record) })
  const isDirty = form.isDirty()
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another record, or the end of typing, fills the form
  useEffect(() => {
    if (isDirty || record === followed.current) return
    const values = valuesOf(record)
    followed.current = record
    setBase(record)
    form.setInitialValues(values)
    form.setValues(values)
    form.resetDirty(values)
  }, [record, isDirty])
  return { form, base, setBase }
}
