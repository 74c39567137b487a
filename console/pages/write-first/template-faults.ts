import type { TemplateUse } from '../../../src/platforms/template.ts'
import { Refusal } from '../../api/client.ts'
import { withoutParam } from '../../ui/refusal-text.ts'

/** Tells whether a template is chosen, and each of its variables has a text. */
export function isFilledIn(use: TemplateUse | null): use is TemplateUse {
  return use !== null && Object.values(use.variables).every((text) => text.trim() !== '')
}

/** Returns what a refusal says of a variable of a template, by its name; nothing when it is about something else. */
export function faultsOf(error: unknown): Record<string, string> {
  if (!(error instanceof Refusal)) return {}
  const [, name] = /(?:^|\.)template\.variables\.(.+)$/.exec(error.param ?? '') ?? []
  return name === undefined ? {} : { [name]: withoutParam(error) }
}
