/** The names of the longest answer in tokens. Some servers know only one of them, others refuse both together. */
const LENGTHS = ['max_tokens', 'max_completion_tokens']

/** Adds a prompt's request fields to the agent's, which they replace. A longest answer keeps the agent's name for it. */
export function joinedParameters(
  own: Record<string, unknown>,
  ofPrompt: Record<string, unknown>,
): Record<string, unknown> {
  const ownName = LENGTHS.find((name) => name in own)
  const name = LENGTHS.find((name) => name in ofPrompt)
  if (!ownName || !name) return { ...own, ...ofPrompt }
  const { [name]: longest, ...others } = ofPrompt
  return { ...own, ...others, [ownName]: longest }
}
