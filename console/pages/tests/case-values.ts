import type { NewTestCase, TestCase } from '../../api/types.ts'

type Expectation = TestCase['expectations'][number]
type Role = TestCase['messages'][number]['role']

export const roles = ['user', 'assistant', 'system'] as const satisfies readonly Role[]
export const kinds = [
  'contains',
  'not_contains',
  'cites',
  'abstains',
  'tool',
  'evaluator',
] as const satisfies readonly Expectation['kind'][]

export interface CaseValues extends Record<string, unknown> {
  messages: { role: Role; content: string }[]
  expectations: { kind: Expectation['kind']; value: string }[]
  /** `arguments` is JSON; empty for any arguments. */
  tool_results: { name: string; arguments: string; result: string }[]
}

export const newMessage = { role: 'user' as Role, content: '' }
export const newExpectation = { kind: 'contains' as Expectation['kind'], value: '' }
export const newResult = { name: '', arguments: '', result: '' }

/** Returns the values of the form. @param made null for a new case */
export function valuesOf(made: TestCase | null): CaseValues {
  if (!made) return { messages: [newMessage], expectations: [newExpectation], tool_results: [] }
  return {
    messages: made.messages,
    expectations: made.expectations.map(({ kind, value }) => ({ kind, value: String(value) })),
    tool_results: made.tool_results.map(({ name, arguments: given, result }) => ({
      name,
      arguments: given === undefined ? '' : JSON.stringify(given),
      result,
    })),
  }
}

/** Returns a case as the service takes it. */
export function bodyOf({ messages, expectations, tool_results }: CaseValues): NewTestCase {
  return {
    messages,
    expectations: expectations.map(({ kind, value }) => {
      if (kind === 'abstains') return { kind, value: value !== 'false' }
      if (kind === 'evaluator') return { kind, value: Number(value) }
      return { kind, value }
    }),
    tool_results: tool_results.map(({ name, arguments: given, result }) => ({
      name,
      ...(given.trim() === '' ? {} : { arguments: JSON.parse(given) as Record<string, unknown> }),
      result,
    })),
  }
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
