import type { TemplateFile, TemplateUse } from '../../../../src/platforms/template.ts'
import { Refusal } from '../../../api/client.ts'
import { withoutParam } from '../../../ui/refusal-text.ts'
import type { ChosenFile } from '../files/use-files.ts'

/** A template that a person has chosen, as far as they have filled it in. */
export interface ChosenTemplate {
  use: TemplateUse
  /** The kind of the file above its text. */
  file: TemplateFile | null
}

/** Returns the message that a template makes; null while a text for a variable or the file is missing. */
export function templateMessage(
  chosen: ChosenTemplate | null,
  files: readonly ChosenFile[],
): { template: TemplateUse; attachments?: string[] } | null {
  if (chosen === null) return null
  const { use: template, file } = chosen
  if (Object.values(template.variables).some((text) => text.trim() === '')) return null
  if (file === null) return { template }
  const attachments = files.flatMap(({ stored }) => stored?.id ?? [])
  return attachments.length === 1 ? { template, attachments } : null
}

/** Returns what a refusal says of a variable of a template, by its name; nothing when it is about something else. */
export function faultsOf(error: unknown): Record<string, string> {
  if (!(error instanceof Refusal)) return {}
  const [, name] = /(?:^|\.)template\.variables\.(.+)$/.exec(error.param ?? '') ?? []
  return name === undefined ? {} : { [name]: withoutParam(error) }
}
