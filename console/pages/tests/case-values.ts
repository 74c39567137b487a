import type { NewTestCase, TestCase } from '../../api/types.ts'

type Expectation = TestCase['expectations'][number]
type Role = TestCase['messages'][number]['role']

export const roles = ['user', 'assistant', 'system'] as const satisfies readonly Role[]
export const kinds = [
  'contains',
  'not_contains',
  'cites',
  'finds',
  'abstains',
  'tool',
  'asked_person',
  'evaluator',
  'turns',
] as const satisfies readonly Expectation['kind'][]

/** The ways in which a case asks: with messages as they stand, or through a customer with messages or a model. */
export const waysToAsk = ['messages', 'says', 'model'] as const

export interface CaseValues extends Record<string, unknown> {
  asks: (typeof waysToAsk)[number]
  messages: { role: Role; content: string }[]
  says: { text: string }[]
  goal: string
  /** Lines such as `Order number: 104233`. */
  facts: string
  /** The most messages of a customer; empty for the usual number. */
  turns: string | number
  /** `heading` is used only with `finds`, and `answer` only with `contains` and `not_contains`. */
  expectations: { kind: Expectation['kind']; value: string; heading: string; answer: 'any' | 'last' }[]
  /** `arguments` is JSON; empty for any arguments. */
  tool_results: { name: string; arguments: string; result: string }[]
}

export const newMessage = { role: 'user' as Role, content: '' }
export const newSays = { text: '' }
export const newExpectation: CaseValues['expectations'][number] = {
  kind: 'contains',
  value: '',
  heading: '',
  answer: 'any',
}
export const newResult = { name: '', arguments: '', result: '' }

/** Returns the values of the form. @param made null for a new case */
export function valuesOf(made: TestCase | null): CaseValues {
  const { customer = null, messages = [], expectations = [newExpectation], tool_results = [] } = made ?? {}
  return {
    asks: customer ? (customer.model ? 'model' : 'says') : 'messages',
    messages: messages.length > 0 ? messages : [newMessage],
    says: customer?.says?.map((text) => ({ text })) ?? [newSays],
    goal: customer?.goal ?? '',
    facts: Object.entries(customer?.facts ?? {})
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
    turns: customer?.turns ?? '',
    expectations: expectations.map((one) => ({
      kind: one.kind,
      value: String(one.value),
      heading: ('heading' in one ? one.heading : undefined) ?? '',
      answer: ('answer' in one ? one.answer : undefined) ?? 'any',
    })),
    tool_results: tool_results.map(({ name, arguments: given, result }) => ({
      name,
      arguments: given === undefined ? '' : JSON.stringify(given),
      result,
    })),
  }
}

/** Returns a case as the service takes it. */
export function bodyOf(values: CaseValues) {
  const { messages, expectations, tool_results } = values
  return {
    ...(values.asks === 'messages' ? { messages } : { customer: customerOf(values) }),
    expectations: expectations.map(({ kind, value, heading, answer }) => {
      if (kind === 'abstains' || kind === 'asked_person') return { kind, value: value !== 'false' }
      if (kind === 'evaluator' || kind === 'turns') return { kind, value: Number(value) }
      if (kind === 'finds') return { kind, value, ...(heading.trim() === '' ? {} : { heading }) }
      if (kind === 'contains' || kind === 'not_contains')
        return { kind, value, ...(answer === 'any' ? {} : { answer }) }
      return { kind, value }
    }),
    tool_results: tool_results.map(({ name, arguments: given, result }) => ({
      name,
      ...(given.trim() === '' ? {} : { arguments: JSON.parse(given) as Record<string, unknown> }),
      result,
    })),
  } satisfies NewTestCase
}

function customerOf({ asks, says, goal, facts, turns }: CaseValues): NonNullable<NewTestCase['customer']> {
  const wanted = goal.trim() === '' ? {} : { goal }
  if (asks !== 'model') return { ...wanted, says: says.map(({ text }) => text) }
  const known = factsIn(facts)
  return {
    ...wanted,
    ...(known.length === 0 ? {} : { facts: Object.fromEntries(known) }),
    model: true,
    ...(turns === '' ? {} : { turns: Number(turns) }),
  }
}

/** Reads lines of a name, a colon and a value. */
function factsIn(lines: string): [name: string, value: string][] {
  return lines.split('\n').flatMap((line): [string, string][] => {
    const [name = '', ...value] = line.split(':')
    return line.trim() === '' ? [] : [[name.trim(), value.join(':').trim()]]
  })
}

/** Tells whether each line has a name before a colon, and a value. */
export function areFacts(lines: string): boolean {
  return factsIn(lines).every(([name, value]) => name !== '' && value !== '')
}

/** Tells whether a text is empty or a JSON object. */
export function isArguments(text: string): boolean {
  if (text.trim() === '') return true
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
