import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { deflateSync } from 'node:zlib'
import { openConverter } from '../../../src/knowledge/formats/convert/convert-aside.ts'
import { makePdf } from '../../support/made-files.ts'

describe('the converter of files', () => {
  const opened: { close(): Promise<void> }[] = []
  after(() => Promise.all(opened.map((converter) => converter.close())))

  function open(hourlyMs?: number) {
    const converter = openConverter(hourlyMs)
    opened.push(converter)
    return converter
  }
  const short = makePdf([[{ y: 800, text: 'A page with some text on it.' }]])

  it('reads the files of a team beside those of another that take forever', async () => {
    const { convert, close } = open()
    const endless = makeEndlessPdf()
    let ended = 0
    const greedy = [1, 2, 3, 4].map(() =>
      convert(1, 'pdf', endless).then(
        () => ended++,
        (error: Error) => error.message,
      ),
    )
    for (const team of [2, 3, null]) {
      const read = await convert(team, 'pdf', short)
      assert.ok('content' in read, JSON.stringify(read))
    }
    // Held one after the other, the first alone takes a minute.
    assert.equal(ended, 0)
    await close()
    assert.deepEqual(
      (await Promise.all(greedy)).map((outcome) => /ended/.test(String(outcome))),
      [true, true, true, true],
    )
  })

  it('refuses for now when the files of a team have taken too long within an hour, and reads those of others', async () => {
    const { convert } = open(1)
    assert.ok('content' in (await convert(1, 'pdf', short)))
    const refused = await convert(1, 'pdf', short)
    assert.deepEqual(refused, {
      refused: "reading the team's PDF and DOCX files has taken too long within an hour: add it again later",
      isPassing: true,
    })
    assert.ok('content' in (await convert(2, 'pdf', short)))
  })
})

/** A PDF of some kilobytes with very many pages, on each of which megabytes of spaces are unpacked and read. */
function makeEndlessPdf(): Buffer {
  const packed = deflateSync(deflateSync(Buffer.alloc(20_000_000, ' '))).toString('latin1')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count 2000 /Kids [${'3 0 R '.repeat(2000)}] >>`,
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << >> >>',
    `<< /Filter [/FlateDecode /FlateDecode] /Length ${packed.length} >> stream\n${packed}\nendstream`,
  ]
  let file = '%PDF-1.7\n'
  const offsets = objects.map((object, at) => {
    const offset = file.length
    file += `${at + 1} 0 obj ${object} endobj\n`
    return offset
  })
  const start = file.length
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`
  file += offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF`
  return Buffer.from(file, 'latin1')
}
