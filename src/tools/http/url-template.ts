import { ArgumentError, namesIn, splitTemplate, TemplateError, textOf } from './placeholders.ts'

/** An address with places for arguments. */
interface UrlTemplate {
  origin: string
  /** The names of its placeholders. */
  names: string[]
  /** @throws ArgumentError when an argument of the path is missing or would lead elsewhere */
  fill(values: ReadonlyMap<string, unknown>): URL
}

/**
 * Reads the template of an address. Scheme, host and port are literal; a placeholder stands in one segment of the path
 * or in the value of one query parameter, and what fills it stays there.
 * @throws TemplateError
 */
export function readUrlTemplate(text: string): UrlTemplate {
  const [, scheme, authority = '', rest = ''] = /^(https?:\/\/)([^/?#\\]*)(.*)$/is.exec(text) ?? []
  if (scheme === undefined) throw new TemplateError('must be an http or https address')
  if (/[{}]/.test(authority)) throw new TemplateError('must name scheme, host and port without placeholders')
  if (authority.includes('@')) throw new TemplateError('must hold no credentials: put them in `headers`')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
  if (/[\\#\u0000-\u0020\u007f]/.test(rest))
    throw new TemplateError('must hold no fragment, space or backslash')
  const origin = URL.parse(scheme + authority)?.origin
  if (!origin) throw new TemplateError('must be an http or https address')

  const [path = '', ...behind] = rest.split('?')
  const segments = path.split('/').slice(1).map(readPart)
  if (segments.some((parts) => parts.length === 1 && isDots(parts[0] as string)))
    throw new TemplateError('must hold no "." or ".." in its path')
  const query = behind.length === 0 ? [] : behind.join('?').split('&').map(readParameter)

  return {
    origin,
    names: [...segments, ...query.map(({ value }) => value)].flatMap(namesIn),
    fill(values) {
      const filled = segments.map((parts) => fillSegment(parts, values)).join('/')
      const parameters = query.flatMap(({ name, value }) => fillParameter(name, value, values))
      const url = new URL(`${origin}/${filled}${parameters.length > 0 ? `?${parameters.join('&')}` : ''}`)
      if (url.origin !== origin) throw new ArgumentError('The arguments lead to another server.')
      return url
    },
  }
}

function readPart(text: string): string[] {
  const parts = splitTemplate(text)
  if (parts.some((part, at) => at % 2 === 0 && /[{}]/.test(part)))
    throw new TemplateError('has a brace that belongs to no placeholder')
  if (parts.length > 3)
    throw new TemplateError('must have at most one placeholder in a segment of the path or a query value')
  return parts
}

function readParameter(text: string): { name: string; value: string[] } {
  const at = text.indexOf('=')
  const name = at < 0 ? text : text.slice(0, at)
  if (/[{}]/.test(name))
    throw new TemplateError('must have placeholders of its query in values only, as in ?q={query}')
  return { name, value: at < 0 ? [''] : readPart(text.slice(at + 1)) }
}

function fillSegment(
  [before = '', name, behind = '']: string[],
  values: ReadonlyMap<string, unknown>,
): string {
  if (name === undefined) return before
  const value = values.get(name)
  const text = value === undefined || value === null ? '' : textOf(value)
  if (text === '') throw new ArgumentError(`The argument ${name} is needed and must not be empty.`)
  const segment = before + encodeURIComponent(text) + behind
  if (isDots(segment)) throw new ArgumentError(`The argument ${name} must not be "${text}".`)
  return segment
}

/** Fills the value of a parameter. Leaves out a parameter whose argument is absent. */
function fillParameter(name: string, value: string[], values: ReadonlyMap<string, unknown>): string[] {
  const [before = '', argument, behind = ''] = value
  if (argument === undefined) return [before === '' ? name : `${name}=${before}`]
  const given = values.get(argument)
  if (given === undefined || given === null) return []
  return [`${name}=${before}${encodeURIComponent(textOf(given))}${behind}`]
}

/** Tells whether a segment leads upwards, in any spelling. */
function isDots(segment: string): boolean {
  return /^(\.|%2e){1,2}$/i.test(segment)
}
