/** The parts of an operation from which its name is made. */
interface NamedOperation {
  method: string
  /** With parameters in braces. */
  path: string
  /** The statuses that it answers. */
  statuses: string[]
  /** True when it answers a list. */
  isList: boolean
}

const VERBS: Record<string, string> = { get: 'get', patch: 'update', put: 'set', delete: 'delete' }

/**
 * Makes the name of an operation as a generated client should call it: `listDatasetCases`, `createWidget`,
 * `updateUser`, `pauseConversation`, `rotateNotificationSecret`. It stays the same as long as method and path do. A
 * route whose path does not read so states an `operationId` of its own.
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
  // What stands last is what is done: its first word is the verb, and the others follow what it is done to.
  const [, verb = '', object = ''] = /^([A-Z][a-z]*)(.*)$/.exec(last) ?? []
  return verb.toLowerCase() + nouns.join('') + object
}

const isParameter = (segment = '') => segment.startsWith('{')

/** Writes words one after the other, each with a capital. */
export function pascalCase(words: string): string {
  return words
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}

/** One of the plural nouns that stand in paths. */
function singular(noun: string): string {
  return noun.replace(/(?<=[^s])ies$/, 'y').replace(/(?<=[^su])s$/, '')
}
