import { z } from 'zod'
import { evaluatorOf, fieldType } from '../conditions/fields.ts'
import { boundedText, time } from '../http/schemas.ts'
import { presentSecret, type StoredSecret } from '../http/stored-secret.ts'
import { recordVersion, sentVersion, versionOf } from '../http/version.ts'
import type { SecretBox } from '../lib/secrets/secret-box.ts'
import { evaluatorFailures } from './evaluator.ts'
import { type KindName, kindNames, kinds } from './kinds.ts'
import { secretPlace } from './secret-place.ts'
import type { EvaluatorRow } from './tables.ts'

const name = boundedText(200).min(1)
const threshold = z.number().min(0).max(1).describe('The score from which the evaluator passes.')
const invert = z.boolean().describe('Passes below the threshold instead.')
const onError = z
  .enum(['pass', 'fail'])
  .nullable()
  .describe(
    'What it counts as when it fails to give a score; null: neither, so a guardrail goes by its `on_failure`.',
  )

function newOf<K extends KindName>(kind: K) {
  const { settings, summary, threshold: usual } = kinds[kind]
  return z
    .strictObject({
      name,
      kind: z.literal(kind),
      settings,
      threshold: threshold.default(usual),
      invert: invert.default(false),
      on_error: onError.default(null),
    })
    .describe(summary)
}

const [firstKind, ...otherKinds] = kindNames

/** The body of `POST /evaluators`. The kind determines the schema of the settings. */
export const newEvaluator = z
  .discriminatedUnion('kind', [newOf(firstKind), ...otherKinds.map((kind) => newOf(kind))])
  .meta({ id: 'NewEvaluator' })

export type NewEvaluator = z.output<typeof newEvaluator>

/** The body of `PATCH /evaluators/{id}`. The kind cannot change. */
export const evaluatorPatch = z
  .strictObject({
    name,
    settings: z.record(z.string(), z.unknown()).describe('Merged field by field; null takes a field away.'),
    threshold: threshold.nullable().describe('Null: the usual one of the kind.'),
    invert,
    on_error: onError,
    version: sentVersion,
  })
  .partial()
  .meta({ id: 'EvaluatorPatch' })

export type EvaluatorPatch = z.output<typeof evaluatorPatch>

export const evaluatorSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    kind: z.enum(kindNames),
    settings: z
      .record(z.string(), z.unknown())
      .describe('Of a secret only whether it is set, with its last four characters.'),
    threshold: z.number(),
    invert: z.boolean(),
    on_error: onError,
    version: recordVersion,
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'Evaluator' })

type EvaluatorAnswer = z.output<typeof evaluatorSchema>

/** An evaluator as the API returns it. */
export function presentEvaluator(row: EvaluatorRow, box: SecretBox): EvaluatorAnswer {
  const { id, name, threshold, on_error, created_at, updated_at } = row
  const { secret, ...settings } = JSON.parse(row.settings) as Record<string, unknown>
  return {
    id,
    name,
    kind: row.kind as KindName,
    settings:
      secret === undefined
        ? settings
        : { ...settings, secret: presentSealed(secret as string | null, settings.url as string) },
    threshold,
    invert: row.invert === 1,
    on_error,
    version: evaluatorVersion(row),
    created_at,
    updated_at,
  }

  function presentSealed(sealed: string | null, url: string): StoredSecret {
    return presentSecret(sealed === null ? null : box.openFor(url, sealed, secretPlace(id)))
  }
}

export function evaluatorVersion({ name, settings, threshold, invert, on_error }: EvaluatorRow): string {
  return versionOf(name, settings, threshold, invert, on_error)
}

const scalar = z.union([z.string().max(100_000), z.number(), z.boolean()])

const triedFact = z
  .string()
  .refine((field) => fieldType(field) !== null && evaluatorOf(field) === null, 'there is no such field')

/** The body of `POST /evaluators/{id}/try`. */
export const evaluatorTry = z
  .strictObject({
    text: z.string().max(100_000).describe('What is scored; conditions see it as `prompt.text` too.'),
    facts: z
      .record(triedFact, z.union([scalar, z.array(scalar).max(100)]))
      .refine((facts) => Object.keys(facts).length <= 100, 'holds more than 100 facts')
      .default({})
      .describe('What is known beside the text, by the names of condition fields.'),
  })
  .meta({ id: 'EvaluatorTry' })

export type EvaluatorTry = z.output<typeof evaluatorTry>

export const evaluationSchema = z
  .object({
    score: z.number().nullable().describe('0 to 1; null when the evaluator failed.'),
    passed: z.boolean().nullable().describe('Null when the evaluator failed, unless `on_error` is set.'),
    content: z.string().nullable().describe('Why, in words.'),
    duration_ms: z.number(),
    error: z.enum(evaluatorFailures).nullable().describe('Why there is no score.'),
  })
  .meta({ id: 'EvaluationTried' })

export type TriedEvaluation = z.output<typeof evaluationSchema>
