import { fillVariables } from '../lib/fill-variables.ts'

/** Values of a canned reply's variables, by name. A variable that is absent has no known value. */
type Variables = ReadonlyMap<string, string>

/** Matches the variables of canned replies: in braces, or in two pairs as in the agent's own texts. */
const VARIABLE = /\{{1,2}(?<name>user\.name|operator\.name|tags\.[^{}\s]{1,64})\}{1,2}/g

/** Replaces variables with their values. Variables without a value stay as they are. */
export function fillReply(content: string, variables: Variables): { content: string; unfilled: string[] } {
  const unfilled = new Set<string>()
  const valueFor = (name: string) => {
    const value = variables.get(name)
    if (value === undefined) unfilled.add(name)
    return value
  }
  return { content: fillVariables(content, valueFor, VARIABLE), unfilled: [...unfilled] }
}

/** Returns the variables of one conversation. Of its tags, only non-empty texts, numbers and booleans count. */
export function variablesOf(conversation: {
  userName: string | null
  operatorName: string | null
  tags: Readonly<Record<string, unknown>> | null
}): Variables {
  const { userName, operatorName, tags } = conversation
  const tagged = Object.entries(tags ?? {}).flatMap(([name, value]): [string, string][] =>
    ['string', 'number', 'boolean'].includes(typeof value) && value !== ''
      ? [[`tags.${name}`, String(value)]]
      : [],
  )
  return new Map([
    ...tagged,
    ...(userName ? [['user.name', userName] as const] : []),
    ...(operatorName ? [['operator.name', operatorName] as const] : []),
  ])
}
