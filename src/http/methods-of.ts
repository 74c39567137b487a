/** The methods of each address, known from the registered routes. */
interface KnownMethods {
  /** Adds a route. */
  add(route: { method: string | string[]; url: string }): void
  /** Returns the methods of an address, in order; empty when there is no such address. */
  of(url: string): string[]
}

export function rememberMethods(): KnownMethods {
  const methods = new Map<string, Set<string>>()
  const patterns = new Map<string, RegExp>()
  const patternOf = (route: string) => {
    const known = patterns.get(route) ?? toPattern(route)
    patterns.set(route, known)
    return known
  }
  return {
    add({ method, url }) {
      const known = methods.get(url) ?? new Set()
      methods.set(url, known)
      for (const one of [method].flat()) if (one !== 'HEAD') known.add(one)
    },
    of(url) {
      const [path = ''] = url.split('?', 1)
      // A route that takes any path, such as that of a page, is not counted as an address.
      const fitting = [...methods].filter(([route]) => !route.includes('*') && patternOf(route).test(path))
      return [...new Set(fitting.flatMap(([, known]) => [...known]))].sort()
    },
  }
}

function toPattern(route: string): RegExp {
  const parts = route.split('/').map((part) => (part.startsWith(':') ? '[^/]+' : RegExp.escape(part)))
  return new RegExp(`^${parts.join('/')}$`)
}
