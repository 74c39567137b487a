import type { ModelError } from '../model/model.ts'

/** Describes a model's failure to a caller: its kind and status, but not the server's own words. */
export function failureInWords({ reason, status, isContextExceeded }: ModelError): string {
  if (isContextExceeded) return 'The prompt is longer than the model can read.'
  const words = {
    unreachable: 'The model server cannot be reached.',
    timeout: 'The model server was too slow.',
    status: `The model server answered with status ${status}.`,
    protocol: 'The model server answered with something that is no chat completion.',
    interrupted: 'The model server broke off in the middle of its answer.',
    blocked: "The address of the agent's model server is not allowed.",
    masking: 'Personal data in the prompt could not be masked, so no model server was sent it.',
  }
  return words[reason]
}
