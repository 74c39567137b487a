import { createHash } from 'node:crypto'
import { wordsIn } from './words.ts'

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

/**
 * Makes the page on which mail is stopped. Its button asks for the same address: programs that look at the links of mails
 * press none.
 */
export function stopPage(language: string | null, isStopped: boolean): { html: string; policy: string } {
  const { language: lang, words } = wordsIn(language)
  const { stopTitle, stopText, stopButton, stopped } = words
  const body = isStopped
    ? `<p role="status">${escaped(stopped)}</p>`
    : `<h1>${escaped(stopTitle)}</h1><p>${escaped(stopText)}</p><form method="post"><button>${escaped(stopButton)}</button></form>`
  const html = `<!doctype html>
<html lang="${lang}" dir="${lang === 'ar' ? 'rtl' : 'ltr'}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(stopTitle)}</title>
<style>${STYLE}</style></head>
<body><main>${body}</main></body>
</html>
`
  return { html, policy: POLICY }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
