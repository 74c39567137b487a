import { type UseFormInput, type UseFormReturnType, useForm } from '@mantine/form'
import { useEffect, useRef, useState } from 'react'

interface Parts<Row, Values> {
  valuesOf: (record: Row) => Values
  /** The body of a request that stores values. @param base the record that the form was last filled from */
  bodyOf: (values: Values, base: Row) => object
  /** Sends such a body, or what of it changes the record; returns the record as it then is. */
  send: (body: object) => Promise<NonNullable<Row>>
  validate?: NonNullable<UseFormInput<Values>['validate']>
}

interface SeededForm<Row, Values extends Record<string, unknown>> {
  form: UseFormReturnType<Values>
  /** The record that the form was last filled from. */
  base: Row
  /** Stores values and returns them as they then are. */
  save: (values: Values) => Promise<Values>
}

/**
 * A form over a record that others can change. Fields follow the record until something is typed in them. Only what was
 * changed is sent, with the version that was read: where somebody else has changed what was typed here, the service
 * refuses it until it is discarded.
 * @param record null: it is new
 */
export function useSeededForm<Row extends { version: string } | null, Values extends Record<string, unknown>>(
  record: Row,
  { valuesOf, bodyOf, send, validate }: Parts<Row, Values>,
): SeededForm<Row, Values> {
  const [base, setBase] = useState(record)
  const followed = useRef(record)
  const form = useForm<Values>({ initialValues: valuesOf(record), ...(validate ? { validate } : {}) })
  const isDirty = form.isDirty()
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another record, or the end of typing, fills the form
  useEffect(() => {
    if (record === followed.current) return
    const [before, now] = [valuesOf(base), valuesOf(record)]
    const typed = differing(before, form.values)
    if (Object.keys(differing(before, now)).some((name) => name in typed)) return
    followed.current = record
    setBase(record)
    form.setInitialValues(now)
    form.setValues({ ...now, ...typed })
    form.resetDirty(now)
  }, [record, isDirty])
  const save = async (values: Values) => {
    const body = bodyOf(values, base)
    const changes = base && { ...differing(bodyOf(valuesOf(base), base), body), version: base.version }
    const saved = await send(changes ?? body)
    setBase(saved)
    return valuesOf(saved)
  }
  return { form, base, save }
}

/** The fields of an object that are not as in another. */
function differing<Fields extends object>(before: Fields, now: Fields): Partial<Fields> {
  const known = new Map(Object.entries(before).map(([name, value]) => [name, JSON.stringify(value)]))
  const others = Object.entries(now).filter(([name, value]) => known.get(name) !== JSON.stringify(value))
  return Object.fromEntries(others) as Partial<Fields>
}
