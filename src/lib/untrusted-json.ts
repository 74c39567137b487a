/** An object from outside. Callers trust none of its values, and treat values of an unexpected form as missing. */
export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns the value if it is an object; otherwise null. */
export function toObject(value: unknown): JsonObject | null {
  return isObject(value) ? value : null
}

/** Returns the objects in a list; an empty list if the value is not a list. */
export function toObjects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}
