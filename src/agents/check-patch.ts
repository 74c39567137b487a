import { invalidField } from '../errors.ts'
import { checkAddress } from '../http/check-address.ts'
import type { Outbound } from '../lib/outbound/outbound.ts'
import { checkCustomPattern, contradictions, redactionTypes } from '../redaction/redactor.ts'
import { unknownPlace } from './away-text.ts'
import type { AgentPatch, AgentSettings } from './settings.ts'
import { unknownVariable } from './variables.ts'

/** Checks a patch of an agent. @param stored its settings; null: the patch is an earlier version of them */
export type CheckPatch = (patch: AgentPatch, stored: AgentSettings | null) => Promise<void>

/** The texts that may hold variables, beside those in `texts`. */
const TEXTS = [
  'instructions',
  'answer_rules',
  'greeting',
  'pause_message',
  'resume_message',
  'unsupported_message',
  'away_message',
  'follow_up_message',
] as const
/** The fields of a model's request that no parameter may have. */
const OWN_FIELDS = ['model', 'messages', 'stream', 'stream_options'] as const

/**
 * Checks rules that the schema of a patch cannot express: its addresses may be called, its redaction types exist,
 * its patterns cannot be made slow, and no word is both denied and allowed. Variables and parameters are checked only
 * where they differ from the stored settings, so that values from before these checks stay.
 * @param stored null: the patch is a version, which was stored already
 * @throws ApiError invalid_request that names the field
 */
export async function checkAgentPatch(
  patch: AgentPatch,
  stored: AgentSettings | null,
  outbound: Outbound,
): Promise<void> {
  if (stored) checkChanged(patch, stored)
  checkTypes('redaction_types', patch.redaction_types ?? [], [])
  checkTypes(
    'mask.types',
    patch.mask?.types ?? [],
    patch.redaction_patterns ?? stored?.redaction_patterns ?? [],
  )
  for (const [index, pattern] of patch.redaction_patterns?.entries() ?? []) {
    try {
      checkCustomPattern(pattern)
    } catch (error) {
      const why = (error as Error).message.replace(/\.$/, '')
      throw invalidField(`redaction_patterns.${index}`, `${why}.`)
    }
  }
  const [word] = patch.redaction_words ? contradictions(patch.redaction_words) : []
  if (word !== undefined)
    throw invalidField(
      `redaction_words.allow.${patch.redaction_words?.allow.indexOf(word)}`,
      'is denied too.',
    )
  for (const [param, url] of [
    ['model.url', patch.model?.url],
    ...(patch.model?.fallbacks ?? []).map(({ url }, at) => [`model.fallbacks.${at}.url`, url] as const),
    ['embedding.url', patch.embedding?.url],
    ['transcription.url', patch.transcription?.url],
    ['redaction.url', patch.redaction?.url],
  ] as const) {
    if (url) await checkAddress(outbound, param, url)
  }
}

/**
 * Checks that types of personal data exist.
 * @param patterns the agent's own, whose names are types as well
 * @throws ApiError invalid_request that names the field
 */
export function checkTypes(
  param: string,
  types: readonly string[],
  patterns: readonly { name: string }[],
): void {
  const known = new Set([...redactionTypes.map(({ type }) => type), ...patterns.map(({ name }) => name)])
  if (!types.every((type) => known.has(type)))
    throw invalidField(param, 'there is no such type; the documentation lists them.')
}

function checkChanged(patch: AgentPatch, stored: AgentSettings): void {
  for (const name of TEXTS) checkVariables(name, patch[name], stored[name])
  for (const [language, texts] of Object.entries(patch.texts ?? {})) {
    const before = Object.entries(stored.texts[language] ?? {})
    for (const [name, text] of Object.entries(texts))
      checkVariables(`texts.${language}.${name}`, text, before.find(([other]) => other === name)?.[1])
  }
  for (const [param, text] of [
    ['away_message', patch.away_message],
    ...Object.entries(patch.texts ?? {}).map(
      ([tag, of]) => [`texts.${tag}.away_message`, of.away_message] as const,
    ),
  ] as const) {
    const unknown = text ? unknownPlace(text) : null
    if (unknown !== null) throw invalidField(param, `${unknown}.`)
  }
  const { parameters } = patch.model ?? {}
  const own = OWN_FIELDS.find((name) => parameters && name in parameters)
  if (own !== undefined && !(own in stored.model.parameters))
    throw invalidField(`model.parameters.${own}`, 'is set by Parley itself.')
}

type Text = string | null | undefined

function checkVariables(param: string, text: Text, stored: Text): void {
  const unknown = text && text !== stored ? unknownVariable(text) : null
  if (unknown !== null) throw invalidField(param, `${unknown}.`)
}
