import { invalidField } from '../errors.ts'
import { readBodyTemplate } from './http/body-template.ts'
import { USER_NAMES } from './http/placeholders.ts'
import { readUrlTemplate } from './http/url-template.ts'
import type { HttpSettings, McpSettings, ToolKind } from './schemas.ts'
import type { ToolRow } from './tables.ts'
import type { Requirement } from './tool.ts'

type Settings = HttpSettings | McpSettings

/** Returns the proof of the user that a stored tool requires. */
export function requirementOf(row: Pick<ToolRow, 'kind' | 'requires' | 'settings'>): Requirement {
  return row.requires ?? neededBy(row.kind, JSON.parse(row.settings) as Settings)
}

/**
 * Decides what a tool requires from now on. Templates that name the user require it to be verified, unless somebody
 * says that less will do.
 * @param asked the requirement in the request; undefined: none
 * @param present the requirement before
 * @throws ApiError invalid_request
 */
export function requirementFor(
  kind: ToolKind,
  settings: Settings,
  asked: Requirement | undefined,
  present: Requirement = 'none',
): Requirement {
  const needed = neededBy(kind, settings)
  if (asked === undefined) return present === 'none' ? needed : present
  if (asked === 'none' && needed !== 'none')
    throw invalidField('requires', 'must be identified or verified, because a template names the user')
  return asked
}

function neededBy(kind: ToolKind, settings: Settings): Requirement {
  switch (kind) {
    case 'http':
      return neededByTemplates(settings as HttpSettings)
    case 'mcp':
      return 'none'
  }
}

function neededByTemplates({ url, body = null }: HttpSettings): Requirement {
  const names = [...readUrlTemplate(url).names, ...(body === null ? [] : readBodyTemplate(body).names)]
  return names.some((name) => USER_NAMES.includes(name)) ? 'verified' : 'none'
}
