import { z } from 'zod'
import { invalidField } from '../errors.ts'
import { boundedText } from '../http/schemas.ts'
import type { Template, TemplateUse } from '../platforms/template.ts'
import type { PersonsWords } from './answer-as-operator.ts'

const templateUse = z.strictObject({
  name: boundedText(512).min(1),
  language: boundedText(20).min(1),
  variables: z
    .record(boundedText(100).min(1), boundedText(1024))
    .default({})
    .describe('The text for each of its variables, by name.'),
})

/** The fields of what a person says. */
export const wordsSchema = {
  content: z
    .string()
    .min(1)
    .max(100_000)
    .optional()
    .describe('Not required with `attachments` or `template`.'),
  attachments: z
    .array(z.uuid())
    .min(1)
    .max(10)
    .refine((ids) => new Set(ids).size === ids.length, 'must not name a file twice')
    .optional()
    .describe(
      'Ids of files that were uploaded to the conversation. With a template that has a file, the one above its text.',
    ),
  template: templateUse
    .optional()
    .describe(
      "In place of a text: a template of the conversation's channel, which also goes out outside of the reply window.",
    ),
}

/** The marks of a draft, and of an answer that was one. */
export const draftMarks = {
  suggested: z.boolean().describe('Whether a model suggested it, whatever was changed since.'),
  original: z
    .string()
    .min(1)
    .max(100_000)
    .describe("The person's own words, if this is a translation of them: they are kept beside it."),
}

/** A template as the person reads it. */
export type SaidTemplate = Pick<Template, 'text' | 'file'>

/** Returns a template as the person reads it. @param place the field that holds the use */
type ReadTemplate = (use: TemplateUse, place: string) => Promise<SaidTemplate>

/**
 * Reads what a person says from a request.
 * @param author the name that the request gives
 * @param place the field that holds it; empty: the body itself
 */
export async function readWords(
  { displayName }: { displayName: string | null },
  { content, attachments = [], template }: z.output<z.ZodObject<typeof wordsSchema>>,
  author: string | undefined,
  place: string,
  readTemplate: ReadTemplate,
): Promise<PersonsWords> {
  if (displayName !== null && author !== undefined)
    throw invalidField('author', 'is the name of the person who is signed in: only tokens name one')
  const within = (field: string) => (place === '' ? field : `${place}.${field}`)
  const said = { attachments, author: displayName ?? author }
  if (template === undefined) {
    if (content === undefined && attachments.length === 0)
      throw invalidField(within('content'), 'is required')
    return { ...said, content: content ?? null }
  }
  if (content !== undefined) throw invalidField(within('content'), 'is not sent with a template')
  const { text, file } = await readTemplate(template, within('template'))
  if (file === null && attachments.length > 0)
    throw invalidField(within('attachments'), 'are not sent with this template')
  if (file !== null && attachments.length !== 1)
    throw invalidField(within('attachments'), `must name one file, for the ${file} above the template's text`)
  return { ...said, content: text, template, templateFile: file }
}
