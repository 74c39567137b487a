import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'

const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md').sort()]

describe('links of the guides', () => {
  for (const page of pages)
    it(`${page}: each leads to a file, and to a heading of it`, () => {
      assert.deepEqual(
        linksOf(page).filter((link) => !leadsSomewhere(page, link)),
        [],
      )
    })

  it('every decision is listed', () => {
    const listed = linksOf('docs/decisions/README.md')
    const names = globSync('*.md', { cwd: 'docs/decisions' }).filter((name) => name !== 'README.md')
    assert.deepEqual(
      names.filter((name) => !listed.includes(name)),
      [],
    )
  })
})

/** The links of a page that stay within the project. */
function linksOf(page: string): string[] {
  return [
    ...proseOf(page)
      .replaceAll(/`[^`\n]*`/g, '')
      .matchAll(/\]\(([^)\s]+)/g),
  ]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
}

function leadsSomewhere(page: string, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const file = path === '' ? page : join(dirname(page), path)
  return existsSync(file) && (anchor === undefined || anchorsOf(file).includes(anchor))
}

/** The anchors that GitHub gives to the headings of a page. */
function anchorsOf(page: string): string[] {
  return [...proseOf(page).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** A page without its blocks of code. */
function proseOf(page: string): string {
  return readFileSync(page, 'utf8').replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')
}
