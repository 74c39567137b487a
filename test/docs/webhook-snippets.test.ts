import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { eventKeys } from '../../src/events/keys.ts'
import { startApp } from '../support/app.ts'
import { assertShownAs, exampleIn } from '../support/guide.ts'
import { startModelServer } from '../support/model-server.ts'
import { addNotification, startReceiver } from '../support/receiver.ts'

const guide = readFileSync('docs/webhooks.md', 'utf8')
/** The argument of the programs for a header that was not sent. */
const MISSING = ''
type Vector = Record<'secret' | 'timestamp' | 'body' | 'signature', string>

/** The columns of the table of vectors. */
const vectors = [1, 2].map(
  (column) =>
    Object.fromEntries(
      [...guide.matchAll(/^\| (secret|timestamp|body|signature) \| `(.+)` \| `(.+)` \|$/gm)].map((row) => [
        row[1],
        row[column + 1],
      ]),
    ) as Vector,
)

function snippet(language: string): string {
  const found = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(guide)?.[1]
  assert.ok(found, `there is a snippet in ${language}`)
  return found
}

/** The right signature, that of the other vector, the right one five minutes late, and each header missing. */
const cases = vectors.flatMap((vector, at) => {
  const { timestamp, signature } = vector
  return [
    { vector, timestamp, signature, late: 0, expected: true },
    { vector, timestamp, signature: vectors.at(at - 1)?.signature ?? MISSING, late: 0, expected: false },
    { vector, timestamp, signature, late: 301, expected: false },
    { vector, timestamp, signature: MISSING, late: 0, expected: false },
    { vector, timestamp: MISSING, signature, late: 0, expected: false },
    { vector, timestamp: 'soon', signature, late: 0, expected: false },
  ]
})

type Adapt = (snippet: string) => string

/** Programs that call what each language's snippet defines; each prints true or false for a case. */
const programs: Record<string, { command: string[]; file: string; main: string; adapt?: Adapt }> = {
  ts: {
    command: [process.execPath],
    file: 'verify.ts',
    main: 'const [s, t, b, g, n] = process.argv.slice(2).map((word) => word || undefined); console.log(verify(s, t, b, g, Number(n)))',
  },
  python: {
    command: ['python3'],
    file: 'verify.py',
    main: 'import sys\ns, t, b, g, n = [word or None for word in sys.argv[1:]]\nprint(str(verify(s, t, b.encode(), g, int(n))).lower())',
  },
  php: {
    command: ['php'],
    file: 'verify.php',
    main: '[, $s, $t, $b, $g, $n] = $argv; echo verify($s, $t ?: null, $b, $g ?: null, (int) $n) ? "true" : "false";',
  },
  ruby: {
    command: ['ruby'],
    file: 'verify.rb',
    main: 's, t, b, g, n = ARGV.map { |word| word.empty? ? nil : word }\nputs verify(s, t, b, g, n.to_i)',
  },
  go: {
    command: ['go', 'run'],
    file: 'verify.go',
    adapt: (snippet) =>
      snippet.replace('package webhook', 'package main').replace('import (', 'import (\n\t"fmt"\n\t"os"'),
    main: `func main() {
      a := os.Args
      now, _ := strconv.ParseInt(a[5], 10, 64)
      fmt.Println(Verify(a[1], a[2], []byte(a[3]), a[4], now))
    }`,
  },
}

describe('docs/webhooks.md', () => {
  for (const [language, { command, file, main, adapt = (snippet: string) => snippet }] of Object.entries(
    programs,
  )) {
    const isThere = language === 'ts' || hasCommand(command[0] as string)
    it(`the snippet in ${language} tells what is genuine`, {
      skip: isThere ? false : `no ${command[0]} here`,
    }, () => {
      const folder = mkdtempSync(join(tmpdir(), 'parley-snippet-'))
      try {
        writeFileSync(join(folder, file), `${adapt(snippet(language))}\n${main}\n`)
        for (const { vector, timestamp, signature, late, expected } of cases) {
          const words = [
            vector.secret,
            timestamp,
            vector.body,
            signature,
            String(Number(vector.timestamp) + late),
          ]
          const [program = '', ...before] = command
          const out = execFileSync(program, [...before, join(folder, file), ...words], { encoding: 'utf8' })
          assert.equal(out.trim(), String(expected))
        }
      } finally {
        rmSync(folder, { recursive: true })
      }
    })
  }

  it('a notification has the fields that are shown', async () => {
    await using model = await startModelServer()
    await using service = await startApp('sqlite', {
      PARLEY_MODEL_URL: model.url,
      PARLEY_MODEL: 'gpt-5-mini',
    })
    const receiver = await startReceiver()
    try {
      await addNotification(service.agent, receiver.url, { events: ['response_end'] })
      await service.agent.prompt('When do you open?')
      const [sent] = await receiver.until(1)
      assertShownAs(JSON.parse(exampleIn('docs/webhooks.md', 'json', '"notification"')), sent?.payload)
    } finally {
      await receiver.close()
    }
  })

  it('the table of events has each key once', () => {
    const table = guide.slice(
      guide.indexOf('## Which events are there?'),
      guide.indexOf('## How do I check a signature?'),
    )
    const named = [...table.matchAll(/`(\w+)`/g)].map(([, key]) => key)
    assert.deepEqual(named.toSorted(), Object.keys(eventKeys).toSorted())
  })
})

function hasCommand(name: string): boolean {
  try {
    execFileSync(name, [name === 'go' ? 'version' : '--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
