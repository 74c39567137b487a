/** A browser that follows redirects, with the cookies of each host. It loads no page. */
interface Browser {
  /**
   * Opens an address and follows it until an answer is not a redirect, or leads to a page of the console.
   * @returns the last address, as `path?query` for a page of the console
   */
  open(address: string): Promise<string>
  /** Opens an address once, without following it. */
  step(address: string): Promise<Response>
  /** Returns the cookies of an origin, as they are sent. */
  cookiesOf(origin: string): string
  /** Every `set-cookie` line so far. */
  readonly set: string[]
  /** Every address that was opened. */
  readonly opened: string[]
}

/** Opens a browser. @param moved the origins to ask, by the origins in addresses */
export function openBrowser(moved: Record<string, string> = {}): Browser {
  const jar = new Map<string, Map<string, string>>()
  const browser: Browser = {
    set: [],
    opened: [],
    cookiesOf: (origin) => [...(jar.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`).join('; '),
    async step(address) {
      const url = new URL(address)
      const { origin } = new URL(moved[url.origin] ?? url.origin)
      browser.opened.push(address)
      const response = await fetch(origin + url.pathname + url.search, {
        redirect: 'manual',
        headers: { cookie: browser.cookiesOf(origin) },
      })
      const cookies = jar.get(origin) ?? new Map<string, string>()
      jar.set(origin, cookies)
      for (const line of response.headers.getSetCookie()) {
        browser.set.push(line)
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
        if (/Max-Age=0|Expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(name)
        else cookies.set(name, value)
      }
      return response
    },
    async open(address) {
      for (let at = address, steps = 0; steps < 20; steps++) {
        const response = await browser.step(at)
        const location = response.headers.get('location')
        await response.arrayBuffer()
        if (location === null) return at
        const next = new URL(location, at)
        if (/^\/console\/(?!api\/)/.test(next.pathname)) return next.pathname + next.search
        at = next.href
      }
      throw new Error(`too many redirects from ${address}`)
    },
  }
  return browser
}
