import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'

const guide = readFileSync('docs/widget.md', 'utf8')

/** Programs that call what each language's snippet defines with a user's id and a secret. */
const programs: Record<string, { command: string[]; file: string; main: string }> = {
  js: {
    command: [process.execPath],
    file: 'identity.mjs',
    main: 'console.log(hashOf(process.argv[2], process.argv[3]))',
  },
  python: {
    command: ['python3'],
    file: 'identity.py',
    main: 'import sys\nprint(hash_of(sys.argv[1], sys.argv[2]))',
  },
  php: { command: ['php'], file: 'identity.php', main: 'echo hash_of($argv[1], $argv[2]);' },
  ruby: { command: ['ruby'], file: 'identity.rb', main: 'puts hash_of(ARGV[0], ARGV[1])' },
}

describe("the snippets that prove a site's user", () => {
  for (const [language, { command, file, main }] of Object.entries(programs)) {
    const [program = '', ...options] = command
    it(language, { skip: isThere(program) ? false : `there is no ${program}` }, () => {
      const snippets = [...guide.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))]
      const snippet = snippets.map(([, code = '']) => code).find((code) => /hash_?of/i.test(code))
      assert.ok(snippet, `there is a snippet in ${language}`)
      const folder = mkdtempSync(join(tmpdir(), 'parley-snippet-'))
      try {
        writeFileSync(join(folder, file), `${snippet}\n${main}\n`)
        for (const id of ['user-42', 'grüße@例え.jp']) {
          const said = execFileSync(program, [...options, join(folder, file), id, 'parley_identity_x'], {
            encoding: 'utf8',
          })
          const expected = createHmac('sha256', 'parley_identity_x').update(id).digest('hex')
          assert.equal(said.trim(), expected, id)
        }
      } finally {
        rmSync(folder, { recursive: true })
      }
    })
  }
})

function isThere(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
