import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'

const STYLE = `:root{color-scheme:light dark}
body{margin:0;min-height:100vh;display:grid;place-content:center;font:1.0625rem/1.5 system-ui,sans-serif}
main{max-width:28rem;padding:1.5rem;text-align:center}
h1{margin:0 0 .5rem;font-size:1.375rem}
button{margin-top:1rem;padding:.625rem 1.25rem;border:0;border-radius:.5rem;background:#4338ca;color:#fff;font:inherit}
button:focus-visible{outline:3px solid #a5b4fc;outline-offset:2px}`

/** Nothing but the page's own style is loaded, and its form goes nowhere else. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ')

/** A page on which somebody stops mails. */
interface StopPage {
  language: string
  title: string
  /** The text above its button. */
  text: string
  button: string
  /** Said in place of both once the mails are stopped; null: they are not. */
  stopped: string | null
}

/**
 * Answers with a page on which mail is stopped. Its button asks for the same address: programs that look at the links of
 * mails press none.
 */
export function sendStopPage(
  reply: FastifyReply,
  { language, title, text, button, stopped }: StopPage,
): FastifyReply {
  const body =
    stopped === null
      ? `<h1>${escaped(title)}</h1><p>${escaped(text)}</p><form method="post"><button>${escaped(button)}</button></form>`
      : `<p role="status">${escaped(stopped)}</p>`
  const html = `<!doctype html>
<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title>
<style>${STYLE}</style></head>
<body><main>${body}</main></body>
</html>
`
  return reply
    .headers({
      'cache-control': 'no-store',
      'content-security-policy': POLICY,
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex',
    })
    .type('text/html; charset=utf-8')
    .send(html)
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
