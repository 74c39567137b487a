import { Parser } from 'htmlparser2'

const INLINE = /^(?:a|abbr|b|bab|code|del|em|i|ins|kbd|mark|s|small|span|strong|sub|sup|u)$/

/** Returns the text of a page, with that of its pictures. */
export function seenIn(html: string): string {
  let text = ''
  let hidden = 0
  const parser = new Parser({
    onopentag(name, { alt = '' }) {
      if (!INLINE.test(name)) text += ' '
      if (name === 'img') text += alt
      if (name === 'script' || name === 'style') hidden++
    },
    onclosetag(name) {
      if (!INLINE.test(name)) text += ' '
      if (name === 'script' || name === 'style') hidden--
    },
    ontext(part) {
      if (hidden === 0) text += part
    },
  })
  parser.end(html)
  return text
}

/** Returns the words of a text, without the marks of lists and the fences of code that Parley's readers write. */
export function wordsOf(text: string): string {
  return text
    .replace(/^```.*$/gm, ' ')
    .replace(/^\s*(?:- |\d{1,9}[.)] )/gm, ' ')
    .split(/\s+/)
    .filter((word) => word !== '')
    .join(' ')
}
