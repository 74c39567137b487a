/** The parts of an operation from which its name is made. */
interface NamedOperation {
  method: string
  /** The path, with parameters in braces. */
  path: string
  /** The statuses that it answers. */
  statuses: string[]
  /** True when it answers a list. */
  isList: boolean
}

const VERBS: Record<string, string> = { get: 'get', patch: 'update', put: 'set', delete: 'delete' }

/**
 * Makes the name of an operation for generated clients: `listDatasetCases`, `createWidget`, `updateUser`,
 * `pauseConversation`, `rotateNotificationSecret`. It stays the same as long as method and path do. A route whose path
 * does not fit this pattern states an `operationId` of its own.
 */
export function operationId({ method, path, statuses, isList }: NamedOperation): string {
  const segments = path.replace(/^\/(api\/v1|console\/api|widget\/v1\/\{\w+\})\//, '').split('/')
  const isItem = isParameter(segments.at(-1))
  const nouns = segments.flatMap((segment, at) => {
    if (isParameter(segment)) return []
    return [pascalCase(at < segments.length - 1 ? singular(segment) : segment)]
  })
  if (isItem || method !== 'post') return (isList ? 'list' : (VERBS[method] ?? method)) + nouns.join('')
  const last = nouns.pop() ?? ''
  if (statuses.includes('201')) return `create${nouns.join('')}${singular(last)}`
  // The last segment names an action: its first word is the verb, and the rest follows the noun.
  const [, verb = '', object = ''] = /^([A-Z][a-z]*)(.*)$/.exec(last) ?? []
  return verb.toLowerCase() + nouns.join('') + object
}

const isParameter = (segment = '') => segment.startsWith('{')

/** Joins words, each with a capital. */
export function pascalCase(words: string): string {
  return words
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}

/** Returns the singular of a plural noun in a path. */
function singular(noun: string): string {
  return noun.replace(/(?<=[^s])ies$/, 'y').replace(/(?<=[^su])s$/, '')
}
