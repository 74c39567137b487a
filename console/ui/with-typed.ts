import { isObject } from '../../src/lib/untrusted-json.ts'

/**
 * Returns the values of a form after it was saved: what was typed meanwhile stays, to be saved next. Each field within
 * another counts by itself, and a list counts as one field.
 * @param sent the values that were saved
 * @param now the values that the form has now
 */
export function withTyped<Value>(stored: Value, sent: Value, now: Value): Value {
  if (isObject(stored) && isObject(sent) && isObject(now)) {
    const fields = Object.keys({ ...stored, ...now }).map((name) => [
      name,
      withTyped(stored[name], sent[name], now[name]),
    ])
    return Object.fromEntries(fields.filter(([, value]) => value !== undefined))
  }
  return JSON.stringify(sent) === JSON.stringify(now) ? stored : now
}
