import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A web site of another origin than the service's, with a widget on every page. */
export interface WidgetSite extends AsyncDisposable {
  /** The origin, without a path. */
  origin: string
  close(): Promise<void>
}

export interface SitePage {
  /** The attributes of `<html>`. */
  html?: string
  head?: string
  /** The content of the body before the script. */
  body?: string
}

/**
 * Serves pages that allow only the service's origin for scripts and connections.
 * @param script the attributes of the script, or null for a page without one
 */
export async function startWidgetSite(
  service: string,
  script: Record<string, string> | null,
  { html = 'lang="en"', head = '', body = '' }: SitePage = {},
): Promise<WidgetSite> {
  const attributes = Object.entries(script ?? {}).map(([name, value]) => ` ${name}="${value}"`)
  const tag = script && `<script src="${service}/widget.js"${attributes.join('')} async></script>`
  const http = createServer((_, response) => {
    response.setHeader(
      'content-security-policy',
      `default-src 'none'; script-src ${service}; connect-src ${service}; base-uri 'none'; form-action 'none'`,
    )
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(`<!doctype html><html ${html}><head><title>A shop</title>
      <meta name="viewport" content="width=device-width, initial-scale=1">${head}</head>
      <body><main><h1>A shop</h1><p>${'Some words of the page. '.repeat(400)}</p>${body}</main>${tag ?? ''}</body></html>`)
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const close = async () => {
    http.closeAllConnections()
    await new Promise((done) => http.close(done))
  }
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  return { origin, close, [Symbol.asyncDispose]: close }
}
