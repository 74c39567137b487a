import { isObject, type JsonObject } from '../../../lib/untrusted-json.ts'
import type { MessageContent, ModelRequest } from '../../model.ts'
import type { KeptSteps } from '../kept-steps.ts'
import { type Part, partsOf, unsendable } from '../parts.ts'
import {
  answerSchema,
  argumentsOf,
  type MadeCall,
  type Offer,
  offerOf,
  stopsOf,
  systemText,
  type Utterance,
  utterancesOf,
} from '../utterances.ts'

interface Content {
  role: 'user' | 'model'
  parts: JsonObject[]
}

/**
 * Stands in for the signature of a call whose own is not known any more.
 * @see https://ai.google.dev/gemini-api/docs/thought-signatures
 */
const UNSIGNED = 'skip_thought_signature_validator'

/**
 * Translates a request. What Gemini has no counterpart for is left out; its own fields `generationConfig` and
 * `safetySettings` pass unchanged.
 * @see https://ai.google.dev/api/generate-content
 */
export function contentsRequest(
  { model, messages, parameters }: ModelRequest,
  steps: KeptSteps<readonly JsonObject[]>,
): JsonObject {
  const utterances = utterancesOf(messages, steps)
  const system = systemText(messages)
  const offer = offerOf(parameters, utterances)
  const { functions, others } = offer
  return {
    ...(system.trim() === '' ? {} : { systemInstruction: { parts: [{ text: system }] } }),
    contents: contentsOf(utterances, isSigned(model)),
    ...(functions.length + others.length === 0
      ? {}
      : {
          tools: [
            ...(functions.length > 0 ? [{ functionDeclarations: functions.map(declared) }] : []),
            ...others,
          ],
        }),
    ...(functions.length > 0 ? { toolConfig: { functionCallingConfig: choiceOf(offer) } } : {}),
    generationConfig: generationOf(model, parameters),
    safetySettings: parameters.safetySettings,
  }
}

/** Tells whether a model wants the calls of the present turn signed: those before Gemini 3 do not. */
function isSigned(model: string): boolean {
  return !/gemini-[12]\b|gemma/i.test(model)
}

/** Puts all that is said into contents of user and model in turn. */
function contentsOf(
  utterances: readonly Utterance<readonly JsonObject[]>[],
  wantsSigned: boolean,
): Content[] {
  const contents: Content[] = []
  const add = (role: Content['role'], parts: JsonObject[]) => {
    const last = contents.at(-1)
    if (last?.role === role) last.parts.push(...parts)
    else if (parts.length > 0) contents.push({ role, parts })
  }
  const newest = utterances.findLastIndex(({ role }) => role === 'user')
  for (const [at, { role, content, calls, asSaid }] of utterances.entries()) {
    if (role === 'user') add('user', partsFor(content))
    else {
      const isUnsigned = wantsSigned && at > newest
      add(
        'model',
        asSaid
          ? [...asSaid]
          : [...partsFor(content), ...calls.map((made, n) => callOf(made, isUnsigned && n === 0))],
      )
      add(
        'user',
        calls.map((made) => resultOf(made, asSaid)),
      )
    }
  }
  return contents.length > 0 ? contents : [{ role: 'user', parts: [{ text: '(empty)' }] }]
}

function callOf({ call }: MadeCall, isUnsigned: boolean): JsonObject {
  const functionCall = { name: call.function.name, args: argumentsOf(call) }
  return isUnsigned ? { functionCall, thoughtSignature: UNSIGNED } : { functionCall }
}

/** A result; it has the id of its call if the server gave one. */
function resultOf({ call, result }: MadeCall, asSaid: readonly JsonObject[] | null): JsonObject {
  const isNamed = asSaid?.some(({ functionCall }) => isObject(functionCall) && functionCall.id === call.id)
  return {
    functionResponse: {
      ...(isNamed ? { id: call.id } : {}),
      name: call.function.name,
      response: { output: partsOf(result).map(textOf).join('\n') },
    },
  }
}

function textOf(part: Part): string {
  return 'text' in part ? part.text : unsendable(part.type).text
}

function partsFor(content: MessageContent): JsonObject[] {
  return partsOf(content).map(partFor)
}

function partFor(part: Part): JsonObject {
  if ('text' in part) return { text: part.text }
  return { inlineData: { mimeType: part.type, data: part.data } }
}

/** A function with its parameters as the JSON schema that they are, of which Gemini reads what it knows. */
function declared({ name, description, parameters }: Offer['functions'][number]): JsonObject {
  return { name, description, parametersJsonSchema: parameters }
}

function choiceOf({ choice }: Offer): JsonObject {
  if (typeof choice === 'object') return { mode: 'ANY', allowedFunctionNames: [choice.name] }
  return { mode: choice === 'required' ? 'ANY' : choice.toUpperCase() }
}

function generationOf(model: string, parameters: JsonObject): JsonObject {
  const { response_format: format, reasoning_effort: effort, generationConfig: own } = parameters
  const schema = answerSchema(parameters)
  const isJson = schema !== null || (isObject(format) && format.type === 'json_object')
  return {
    temperature: parameters.temperature,
    topP: parameters.top_p,
    maxOutputTokens: parameters.max_completion_tokens ?? parameters.max_tokens,
    stopSequences: stopsOf(parameters),
    seed: parameters.seed,
    presencePenalty: parameters.presence_penalty,
    frequencyPenalty: parameters.frequency_penalty,
    ...(isJson ? { responseMimeType: 'application/json' } : {}),
    ...(schema ? { responseJsonSchema: schema } : {}),
    ...(typeof effort === 'string' ? { thinkingConfig: thinkingOf(model, effort) } : {}),
    ...(isObject(own) ? own : {}),
  }
}

/** The tokens for thoughts in the place of the efforts that Gemini 2.5 does not know, as Google itself translates them. */
const BUDGETS: Readonly<Record<string, number>> = {
  none: 0,
  minimal: 1024,
  low: 1024,
  medium: 8192,
  high: 24_576,
}

/** @see https://ai.google.dev/gemini-api/docs/openai#thinking */
function thinkingOf(model: string, effort: string): JsonObject | undefined {
  if (!isSigned(model)) return { thinkingBudget: BUDGETS[effort] }
  return { thinkingLevel: effort === 'none' ? 'MINIMAL' : effort.toUpperCase() }
}
