import { z } from 'zod'
import { type ApiError, type ErrorCode, errorTable, invalidField } from '../errors.ts'
import { LATEST, timestamp } from '../lib/clock.ts'
import { isTimeZone } from '../lib/time-zone.ts'
import { MISSING, sayWhatIsWrong } from './say-what-is-wrong.ts'

z.config({ customError: sayWhatIsWrong })

/** A time in RFC 3339, in UTC with milliseconds. */
export const time = z.string().meta({ format: 'date-time', example: '2026-11-20T19:31:05.123Z' })

/** The largest number that an integer column holds on both engines. */
export const LARGEST_INTEGER = 2_147_483_647

/**
 * Times are compared as text, which sorts correctly only for years of four digits. An offset may lead beyond these
 * years.
 */
const EARLIEST = Date.parse('0000-01-01T00:00:00.000Z')
export const timeFilter = z.iso
  .datetime({ offset: true, message: 'must be an RFC 3339 time' })
  .transform((text) => timestamp(Math.min(Math.max(Date.parse(text), EARLIEST), Date.parse(LATEST))))
const errorBody = z
  .object({
    error: z.object({
      message: z.string(),
      type: z.string(),
      param: z.string().nullable(),
      code: z.string(),
    }),
    request_id: z.string(),
  })
  .meta({
    id: 'Error',
    description: 'Every error answer has this shape; `code` is from the table of errors.',
  })

/** Creates the response schema of an error that is answered with `data`. */
export function errorWith<T extends z.ZodType>(data: T) {
  return errorBody.extend({ data })
}

/** Returns the response schemas of the errors that an endpoint may return, by status. */
export function errors(...codes: ErrorCode[]): Record<number, typeof errorBody> {
  return Object.fromEntries(codes.map((code) => [errorTable[code][0], errorBody]))
}

/** Returns a function that makes the response schemas of a route: that of its status, and those of the given errors. */
export function answersOr(...codes: ErrorCode[]) {
  return <T extends z.ZodType>(status: number, data: T) => ({ [status]: data, ...errors(...codes) })
}

/** The errors that every endpoint with credentials may return. */
export const commonErrors = ['invalid_credentials', 'rate_limited', 'internal_error', 'unavailable'] as const

/** The errors that an endpoint may return because of a request's body. */
export const bodyErrors = ['invalid_request', 'body_too_large', 'unsupported_media_type'] as const

/** Makes a body optional. Fastify turns a missing body into null, and the defaults of the fields apply. */
export function optionalBody<T extends z.ZodType>(body: T) {
  return z.preprocess((given: z.input<T> | null) => given ?? {}, body)
}

/** Creates the schema of `{"data": …}`, the shape of a single object. */
export function single<T extends z.ZodType>(data: T) {
  return z.object({ data })
}

/** Creates the schema of a path's `{id}`. */
export function idParam(description: string) {
  return z.object({ id: z.string().describe(description) })
}

/** The id of a row in a body. */
export const rowIdField = z.int().min(1).max(Number.MAX_SAFE_INTEGER)

/** The number of a row as a query parameter, or 0. */
export const rowNumber = z
  .string()
  .regex(/^\d{1,15}$/, 'must be a whole number')
  .transform(Number)

/** Brings a number into the range of an integer column. No row has the largest, which stands for all beyond. */
export function withinInteger(number: number): number {
  return Math.min(number, LARGEST_INTEGER)
}

/** The number of a row in an integer column as a query parameter, or 0. */
export const integerNumber = rowNumber.transform(withinInteger)

/** A query parameter that is `true` or `false`. */
export const flag = z
  .enum(['true', 'false'])
  .transform((text) => text === 'true')
  .meta({ type: 'string', enum: ['true', 'false'] })

/**
 * Creates the schema of a text of bounded length. Texts that cannot be stored were already refused when reading the
 * request.
 */
export function boundedText(most: number) {
  return z.string().max(most)
}

/** The name of a time zone in the IANA database. */
export const timeZoneName = boundedText(64).refine(
  isTimeZone,
  'must be the name of a time zone, such as Europe/Berlin',
)

/** Creates the schema of a secret that a header carries unchanged. */
export function headerSecret(most: number) {
  return z
    .string()
    .regex(
      new RegExp(`^[\\x21-\\x7e]([\\x20-\\x7e]{0,${most - 2}}[\\x21-\\x7e])?$`),
      `must have 1 to ${most} printable ASCII characters, without spaces around them`,
    )
}

/** A secret that signs webhooks or is sent in one of their headers. The receiver may have chosen it. */
export const webhookSecret = headerSecret(256)

/**
 * Reads a part of a request whose schema depends on another part of the request.
 * @param place the field that holds the part; empty for the body itself
 * @throws ApiError invalid_request that names the first wrong field
 */
export function parsePart<Schema extends z.ZodType>(
  schema: Schema,
  part: unknown,
  place = '',
): z.output<Schema> {
  const { data, error } = schema.safeParse(part)
  if (error) throw refusal(error, place)
  return data
}

/**
 * Creates the refusal of a part of a request that does not match its schema. It names an unknown field, if any,
 * otherwise the first wrong field.
 */
export function refusal({ issues }: z.ZodError, place = ''): ApiError {
  const unknown = issues.find((issue) => issue.code === 'unrecognized_keys')
  const first = issues[0]
  if (!unknown && first?.code === 'invalid_union') return refusalOfUnion(first, place)
  const issue = unknown ?? first
  const path = [place, ...(issue?.path ?? []), ...(unknown?.keys.slice(0, 1) ?? [])]
  return invalidField(
    path.filter((name) => name !== '').join('.'),
    unknown ? 'is not known here' : (issue?.message ?? 'not valid'),
  )
}

/**
 * Creates the refusal of a part that may have several forms: that of the form which fits furthest, as the intended one.
 */
function refusalOfUnion(
  { errors: forms, path, message }: z.core.$ZodIssueInvalidUnion,
  place: string,
): ApiError {
  const here = [place, ...path].filter((name) => name !== '').join('.')
  const meant = forms.find(([issue]) => issue && (issue.path.length > 0 || issue.code !== 'invalid_type'))
  if (meant) return refusal(new z.ZodError(meant), here)
  const words = forms.flatMap(([issue]) => (issue?.message.startsWith('must be ') ? [issue.message] : []))
  const missing = forms.flat().find(({ message }) => message === MISSING)
  const [first = missing?.message ?? message, ...rest] = [...new Set(words)]
  return invalidField(here, [first, ...rest.map((word) => word.slice('must be '.length))].join(' or '))
}
