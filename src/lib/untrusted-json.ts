/** An object from outside. Nothing in it is trusted, and values of an unexpected form count as missing. */
export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value when it is an object; otherwise null. */
export function toObject(value: unknown): JsonObject | null {
  return isObject(value) ? value : null
}

/** The objects in a list; an empty list when the value is not a list. */
export function toObjects(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}
