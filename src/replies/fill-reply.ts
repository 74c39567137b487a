/** What the variables of a canned reply stand for, by their names; absent: nothing is known. */
export type Variables = ReadonlyMap<string, string>

const VARIABLE = /\{(user\.name|operator\.name|tags\.[^{}\s]{1,64})\}/g

/** Puts values in the place of variables. Those that have none stay as they are. */
export function fillReply(content: string, variables: Variables): { content: string; unfilled: string[] } {
  const unfilled = new Set<string>()
  const filled = content.replaceAll(VARIABLE, (whole, name: string) => {
    const value = variables.get(name)
    if (value === undefined) unfilled.add(name)
    return value ?? whole
  })
  return { content: filled, unfilled: [...unfilled] }
}

/** The variables of one conversation. Tags count that are a text, a number, or yes or no. */
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
