/** Returns an address with another path. Its query is kept. */
export function withPath(url: URL, change: (path: string) => string): URL {
  const changed = new URL(url)
  changed.pathname = change(url.pathname.replace(/\/+$/, ''))
  return changed
}

/** Appends a path to an address. */
export function under(url: URL, path: string): URL {
  return withPath(url, (above) => `${above}/${path}`)
}
