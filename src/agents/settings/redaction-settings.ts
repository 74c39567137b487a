import { z } from 'zod'
import { boundedText } from '../../http/schemas.ts'
import { httpAddress } from '../../lib/outbound/http-address.ts'
import { apiKey } from './server-settings.ts'
import { LONGEST_TEXTS, setting, text } from './setting.ts'

const entityType = z.string().regex(/^[A-Z0-9_]{1,64}$/)
const entities = z
  .union([z.array(entityType).max(200), z.record(entityType, entityType)])
  .describe("The service's entity types to look for; as an object, with the type that each is replaced by.")

const redactionStyles = ['type', 'numbered'] as const
const redactionFiles = ['delete', 'keep'] as const
const redactionCares = ['strict', 'usual', 'thorough'] as const

const ownWords = z
  .array(
    boundedText(60)
      .trim()
      .regex(/[\p{L}\p{N}]/u, 'must have a letter or a digit')
      .regex(/[^*]$/, 'must not end with *'),
  )
  .max(1000)

/** Types of personal data that a mask looks for. */
export const maskedTypes = z.array(z.string().max(64)).min(1).max(200)

/** The hosted redaction service; a patch changes it field by field. */
export const redaction = {
  url: setting(httpAddress.nullable(), text, null),
  api_key: apiKey,
  language: setting(z.string().regex(/^[a-z]{2,3}$/), z.string(), 'en'),
  threshold: setting(z.number().min(0).max(1).nullable(), z.number().nullable(), null),
  entities: setting(entities.nullable(), entities.nullable(), null),
}

/** Redaction, masking and retention. */
export const redacting = {
  hosted_redaction: setting(z.boolean(), z.boolean(), false),
  redaction_types: setting(
    z.array(z.string().max(64)).max(200).nullable().describe('Types that anonymize redacts; null: all.'),
    z.array(z.string()).nullable(),
    null,
  ),
  redaction_style: setting(
    z
      .enum(redactionStyles)
      .describe(
        'What anonymize puts in the place of a finding: `[PERSON]`, or with `numbered` `[PERSON_4821]`, where the same value in one conversation keeps its number.',
      ),
    z.enum(redactionStyles),
    'type',
  ),
  redaction_files: setting(
    z
      .enum(redactionFiles)
      .describe(
        'What happens to the files of anonymized messages, in which nobody can look for personal data: `delete`, or `keep`, with their names and transcripts anonymized. Scrub deletes them in any case.',
      ),
    z.enum(redactionFiles),
    'delete',
  ),
  redaction_patterns: setting(
    z
      .array(
        z.strictObject({
          name: z.string().regex(/^[A-Z][A-Z0-9_]{0,63}$/),
          pattern: z.string().min(1).max(500),
        }),
      )
      .max(50),
    z.array(z.object({ name: z.string(), pattern: z.string() })),
    [],
  ),
  redaction_words: setting(
    z
      .strictObject({ deny: ownWords.default([]), allow: ownWords.default([]) })
      .refine(
        (words) => JSON.stringify(words).length <= LONGEST_TEXTS,
        `holds more than ${LONGEST_TEXTS} characters`,
      )
      .describe(
        'Words and phrases that anonymize always replaces with `[CUSTOM]`, and those that it never replaces. Whole words, in any case.',
      ),
    z.object({ deny: z.array(z.string()), allow: z.array(z.string()) }),
    { deny: [], allow: [] },
  ),
  mask: setting(
    z
      .strictObject({
        types: maskedTypes,
        restore: z.boolean().default(true),
      })
      .nullable()
      .describe(
        'Types of personal data that no model server is sent: `[PERSON_4821]` stands for each value, and `restore` puts the values back into answers and arguments of tools. Null: model servers are sent what was said.',
      ),
    z.object({ types: z.array(z.string()), restore: z.boolean() }).nullable(),
    null,
  ),
  redaction_care: setting(
    z
      .enum(redactionCares)
      .describe(
        'How certain redaction must be of names and addresses that no pattern matches: a lower certainty finds more.',
      ),
    z.enum(redactionCares),
    'usual',
  ),
  retention: setting(
    z
      .strictObject({ days: z.int().min(1).max(36_500), mode: z.enum(['scrub', 'anonymize']) })
      .nullable()
      .describe('Age in days after which transcripts are redacted.'),
    z.object({ days: z.int(), mode: z.enum(['scrub', 'anonymize']) }).nullable(),
    null,
  ),
}
