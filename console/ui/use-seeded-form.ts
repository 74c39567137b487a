import { type UseFormInput, type UseFormReturnType, useForm } from '@mantine/form'
import { useEffect, useRef, useState } from 'react'

/** The translation of a record into the values of its form, and back. */
export interface SeededParts<Row, Values, Body> {
  valuesOf: (record: Row) => Values
  /** Returns the body of a request that stores values. @param base the record that the form was last filled from */
  bodyOf: (values: Values, base: Row) => Body
  /**
   * Sends such a body, or the part of it that changes the record with the version that was read; returns the record as
   * it is then.
   */
  send: (body: Body) => Promise<NonNullable<Row>>
  validate?: NonNullable<UseFormInput<Values>['validate']>
}

interface SeededForm<Row, Values extends Record<string, unknown>> {
  form: UseFormReturnType<Values>
  /** The record that the form was last filled from. */
  base: Row
  /** Stores values and returns them as they are then. */
  save: (values: Values) => Promise<Values>
}

/**
 * A form for a record that others can change. Fields follow the record until something is typed in them. Only changed
 * fields are sent, with the version that was read: where somebody else has changed a field that was typed here, the
 * service refuses the request until the typed value is discarded.
 * @param record null for a new one
 */
export function useSeededForm<
  Row extends { version: string } | null,
  Values extends Record<string, unknown>,
  Body extends object,
>(
  record: Row,
  { valuesOf, bodyOf, send, validate }: SeededParts<Row, Values, Body>,
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
    const saved = await send((changes ?? body) as Body)
    setBase(saved)
    return valuesOf(saved)
  }
  return { form, base, save }
}

/** Returns the fields of `now` that differ from `before`. */
function differing<Fields extends object>(before: Fields, now: Fields): Partial<Fields> {
  const known = new Map(Object.entries(before).map(([name, value]) => [name, JSON.stringify(value)]))
  const others = Object.entries(now).filter(([name, value]) => known.get(name) !== JSON.stringify(value))
  return Object.fromEntries(others) as Partial<Fields>
}
