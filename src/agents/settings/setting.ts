import { z } from 'zod'

/** A setting of an agent: its schemas and its default. */
export interface Setting<Given extends z.ZodType, Shown extends z.ZodType, Kept> {
  /** The schema for a value in a patch. */
  given: Given
  /** The schema for answers: less strict, since a stored value may come from a version that allowed more. */
  shown: Shown
  /** The default. */
  usual: Kept
}

export function setting<Given extends z.ZodType, Shown extends z.ZodType>(
  given: Given,
  shown: Shown,
  usual: z.output<Shown>,
): Setting<Given, Shown, z.output<Shown>> {
  return { given, shown, usual }
}

/** The longest texts of a setting that holds many, in characters of JSON. */
export const LONGEST_TEXTS = 100_000

/** A stored text, or none. */
export const text = z.string().nullable()

type Settings = Record<string, Setting<z.ZodType, z.ZodType, unknown>>

/** Returns the same part of each setting. */
export function each<Of extends Settings, Part extends 'given' | 'shown' | 'usual'>(
  settings: Of,
  part: Part,
) {
  const parts = Object.entries(settings).map(([name, one]) => [name, one[part]])
  return Object.fromEntries(parts) as { [Name in keyof Of]: Of[Name][Part] }
}
