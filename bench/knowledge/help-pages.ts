import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A help page, and the line that describes it in other words, as lists show it. */
interface HelpPage {
  title: string
  text: string
  asked: string
}

/**
 * Reads the help pages in a language from Debian's packages: GNOME's user help (`gnome-user-docs`, CC BY-SA 3.0), asked
 * for by the description in the head of each page, or LibreOffice's guides (`libreoffice-help-de` and so on, MPL 2.0),
 * asked for by the first paragraph. Pages that are not translated are left out.
 * @param share the folder `/usr/share`
 * @param language a tag such as `de`
 */
export function readHelpPages(share: string, kind: 'gnome' | 'libreoffice', language: string): HelpPage[] {
  const [read, english] = kind === 'gnome' ? ([readGnome, 'C'] as const) : ([readOffice, 'en-US'] as const)
  const original = language === english ? new Map<string, HelpPage>() : new Map(read(share, english))
  return read(share, language)
    .filter(([name, page]) => {
      const other = original.get(name)
      return page.title !== other?.title && page.asked !== other?.asked && page.text !== other?.text
    })
    .map(([, page]) => page)
}

function readOffice(share: string, language: string): Pages {
  const folder = join(share, 'libreoffice/help', language, 'text')
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => /guide\/[^/]+\.html$/.test(name))
    .sort()
    .flatMap((name): Pages => {
      const source = readFileSync(join(folder, name), 'utf8').split('id="DisplayArea"')[1] ?? ''
      const title = plain(source.match(/<h1[^>]*>([\s\S]*?)<\/h1>/)?.[1])
      const [asked = '', ...paragraphs] = [
        ...source.matchAll(/<(p|h[2-4]) id="(?:par|hd)_[^>]*>([\s\S]*?)<\/\1>/g),
      ]
        .map(([, , text]) => plain(text))
        .filter(Boolean)
      const text = paragraphs.join('\n\n')
      return title && asked && text ? [[name, { title, asked, text }]] : []
    })
}

type Pages = [name: string, page: HelpPage][]

function readGnome(share: string, language: string): Pages {
  const pages = join(share, 'help', language, 'gnome-help')
  return readdirSync(pages)
    .filter((name) => name.endsWith('.page'))
    .sort()
    .flatMap((name): Pages => {
      const source = readFileSync(join(pages, name), 'utf8')
      const [head = '', body = ''] = source.split('</info>')
      const title = plain(body.match(/<title>([\s\S]*?)<\/title>/)?.[1])
      const asked = plain(head.match(/<desc>([\s\S]*?)<\/desc>/)?.[1])
      const paragraphs = [...body.matchAll(/<(p|title)(?:\s[^>]*)?>([\s\S]*?)<\/\1>/g)].map(([, , text]) =>
        plain(text),
      )
      const text = paragraphs.slice(1).filter(Boolean).join('\n\n')
      return title && asked && text ? [[name, { title, asked, text }]] : []
    })
}

function plain(xml = ''): string {
  return xml
    .replace(/<[^>]*>/g, '')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&(?:quot|#34);/g, '"')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim()
}
