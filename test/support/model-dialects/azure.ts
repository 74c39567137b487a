import type { Dialect } from './dialect.ts'
import { openaiDialect } from './openai.ts'

const DATED = /^\/openai\/deployments\/[^/?]+\/chat\/completions\?api-version=\d{4}-\d\d-\d\d(?:-preview)?$/
const V1 = /^\/openai\/v1\/chat\/completions(?:\?api-version=(?:preview|latest|v1))?$/

/**
 * OpenAI's models on Azure, under both kinds of addresses, with the first chunk about the prompt's filters and a verdict
 * of filters on each choice.
 * @see https://learn.microsoft.com/azure/foundry/openai/concepts/content-filter
 */
export const azureDialect: Dialect = {
  ...openaiDialect,
  base: '',
  models: null,
  isAsked: (path) => DATED.test(path) || V1.test(path),
  refusal({ headers }) {
    if (headers.authorization) return { status: 401, message: 'a token of Entra was expected' }
    return null
  },
  error: (status, message) => ({ error: { code: `${status}`, message } }),
  whole(asked, answer) {
    const whole = openaiDialect.whole(asked, answer) as { choices: object[] }
    return {
      ...whole,
      prompt_filter_results: [{ prompt_index: 0, content_filter_results: SAFE }],
      choices: whole.choices.map((choice) => ({ ...choice, content_filter_results: SAFE })),
    }
  },
  stream(asked, answer) {
    const encoder = openaiDialect.stream(asked, answer)
    const first = {
      choices: [],
      id: '',
      model: '',
      prompt_filter_results: [{ prompt_index: 0, content_filter_results: SAFE }],
    }
    return { ...encoder, begin: () => `data: ${JSON.stringify(first)}\n\n${encoder.begin()}` }
  },
}

const SAFE = { hate: { filtered: false, severity: 'safe' }, violence: { filtered: false, severity: 'safe' } }

/** The answer to a prompt that the content filter refuses, as recorded in Azure's documentation. */
export const AZURE_FILTERED = {
  error: {
    message:
      "The response was filtered due to the prompt triggering Azure OpenAI's content management policy. Please modify your prompt and retry.",
    type: null,
    param: 'prompt',
    code: 'content_filter',
    status: 400,
    innererror: {
      code: 'ResponsibleAIPolicyViolation',
      content_filter_result: { violence: { filtered: true, severity: 'high' } },
    },
  },
}
