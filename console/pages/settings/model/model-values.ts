import type { ModelKind } from '../../../../src/lib/model-kinds.ts'
import type { Agent } from '../../../api/types.ts'

interface ServerValues {
  url: string
  name: string
  /** An empty text keeps the stored key, null removes it. */
  api_key: string | null
}

interface ModelServerValues extends ServerValues {
  kind: ModelKind
}

interface FallbackValues extends ModelServerValues {
  /** Distinguishes the rows of the form. */
  key: string
  /** The index of the stored fallback; null for a new one. */
  stored: number | null
}

export type ModelValues = {
  model: ModelServerValues & {
    fallbacks: FallbackValues[]
    parameters: string
    images: Agent['model']['images']
    timeout_ms: number | ''
  }
  /** The prices, in a row for each model. */
  prices: { key: string; model: string; input: number | ''; output: number | '' }[]
  budget: { day: number | ''; month: number | '' }
  /** No types: nothing is masked. */
  mask: { types: string[]; restore: boolean }
  embedding: ServerValues
  transcription: ServerValues
}

/** Returns the values of the fields for stored settings. */
export function valuesOf({ model, embedding, transcription, prices, budget, mask }: Agent): ModelValues {
  const { parameters, images, timeout_ms, fallbacks } = model
  return {
    model: {
      ...valuesOfServer(model),
      kind: model.kind,
      fallbacks: fallbacks.map((fallback, at) => ({
        ...valuesOfServer(fallback),
        kind: fallback.kind,
        key: `stored ${at}`,
        stored: at,
      })),
      parameters: Object.keys(parameters).length ? JSON.stringify(parameters, null, 2) : '',
      images,
      timeout_ms: timeout_ms === null ? '' : timeout_ms / 1000,
    },
    prices: Object.entries(prices).map(([model, price]) => ({ key: model, model, ...price })),
    budget: { day: budget?.day ?? '', month: budget?.month ?? '' },
    mask: mask ?? { types: [], restore: true },
    embedding: valuesOfServer(embedding),
    transcription: valuesOfServer(transcription),
  }
}

function valuesOfServer({ url, name }: { url: string | null; name: string | null }): ServerValues {
  return { url: url ?? '', name: name ?? '', api_key: '' }
}

/** Returns the settings for the fields' values. */
export function bodyOf({ model, embedding, transcription, prices, budget, mask }: ModelValues) {
  return {
    model: patchOfModel(model),
    prices: patchOfPrices(prices),
    budget: patchOfBudget(budget),
    mask: mask.types.length === 0 ? null : mask,
    embedding: patchOfServer(embedding),
    transcription: patchOfServer(transcription),
  }
}

/** Returns a patch of the settings for the fields of a model. */
function patchOfModel({ fallbacks, parameters, images, timeout_ms, ...server }: ModelValues['model']) {
  return {
    ...patchOfServer(server),
    kind: server.kind,
    fallbacks: fallbacks.map((fallback) => ({
      ...patchOfServer(fallback),
      kind: fallback.kind,
      url: fallback.url.trim(),
    })),
    parameters: parameters.trim() ? JSON.parse(parameters) : {},
    images,
    timeout_ms: timeout_ms === '' ? null : Math.round(timeout_ms * 1000),
  }
}

/** Returns prices by model. Rows without a model are left out; having no price is not the same as being free. */
function patchOfPrices(prices: ModelValues['prices']) {
  const named = prices.filter(({ model }) => model.trim() !== '')
  return Object.fromEntries(
    named.map(({ model, input, output }) => [model.trim(), { input: Number(input), output: Number(output) }]),
  )
}

/** Returns the budget; null if both fields are empty. */
function patchOfBudget({ day, month }: ModelValues['budget']) {
  if (day === '' && month === '') return null
  return { ...(day === '' ? {} : { day }), ...(month === '' ? {} : { month }) }
}

/** Returns the patch of a server. An empty key leaves the stored one as it is. */
function patchOfServer({ url, name, api_key }: ServerValues) {
  return {
    url: url.trim() || null,
    name: name.trim() || null,
    ...(api_key === '' ? {} : { api_key }),
  }
}
