/** Browsers, in the order in which they must be searched: most also name those that they resemble. */
const browsers = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** Returns the common name of the browser in a `User-Agent` header; null if it names none. */
export function browserName(userAgent: string | null): string | null {
  const named = (list: readonly (readonly [mark: string, name: string])[]) =>
    list.find(([mark]) => userAgent?.includes(mark))?.[1]
  const browser = named(browsers)
  const system = named(systems)
  return browser && system ? `${browser} · ${system}` : (browser ?? system ?? userAgent)
}
