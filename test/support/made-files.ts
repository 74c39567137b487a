import { crc32, deflateRawSync } from 'node:zlib'

/** A line of a page: its position, its size and its text. */
interface PdfLine {
  x?: number
  y: number
  size?: number
  text: string
}

/** Makes a PDF file with the given lines on its pages; a page without lines has no text. */
export function makePdf(pages: readonly (readonly PdfLine[])[], info = ''): Buffer<ArrayBuffer> {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, at) => `${4 + 2 * at} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...pages.flatMap((lines, at) => {
      const text = lines
        .map(({ x = 72, y, size = 11, text }) => {
          const escaped = text.replace(/[\\()]/g, '\\$&')
          return `BT /F1 ${size} Tf ${x} ${y} Td (${escaped}) Tj ET`
        })
        .join('\n')
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${5 + 2 * at} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
        `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
      ]
    }),
    `<< ${info} >>`,
  ]
  let file = '%PDF-1.7\n'
  const offsets = objects.map((object, at) => {
    const offset = file.length
    file += `${at + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const start = file.length
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}`
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info ${objects.length} 0 R >>\nstartxref\n${start}\n%%EOF`
  return Buffer.from(file, 'latin1')
}

interface MadeEntry {
  name: string
  content: string | Buffer
  /** The unpacked size that the directory claims. */
  saysUnpacked?: number
}

/** Makes a zip archive whose directory may lie. */
export function makeZip(entries: readonly MadeEntry[]): Buffer<ArrayBuffer> {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content, saysUnpacked } of entries) {
    const bytes = Buffer.from(content)
    const packed = deflateRawSync(bytes)
    const about = Buffer.alloc(22)
    about.writeUInt16LE(8, 4)
    about.writeUInt32LE(crc32(bytes), 10)
    about.writeUInt32LE(packed.length, 14)
    about.writeUInt32LE(saysUnpacked ?? bytes.length, 18)
    about.writeUInt16LE(20, 0)
    const rest = Buffer.alloc(4)
    rest.writeUInt16LE(Buffer.byteLength(name), 0)
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), about, rest, Buffer.from(name), packed])
    const place = Buffer.alloc(18 - 4)
    place.writeUInt32LE(offset, 10)
    const made = Buffer.from([20, 0])
    directory.push(
      Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), made, about, rest, place, Buffer.from(name)]),
    )
    parts.push(local)
    offset += local.length
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(size, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, ...directory, end])
}

const NAMESPACE = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'

/** Makes a DOCX file with the given elements in its body. */
export function makeDocx(body: string, others: readonly MadeEntry[] = []): Buffer<ArrayBuffer> {
  const xml = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
  const types = 'http://schemas.openxmlformats.org/package/2006/content-types'
  const relations = 'http://schemas.openxmlformats.org/package/2006/relationships'
  const document = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument'
  return makeZip([
    {
      name: '[Content_Types].xml',
      content: `${xml}<Types xmlns="${types}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/></Types>`,
    },
    {
      name: '_rels/.rels',
      content: `${xml}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${document}" Target="word/document.xml"/></Relationships>`,
    },
    {
      name: 'word/document.xml',
      content: `${xml}<w:document xmlns:w="${NAMESPACE}"><w:body>${body}</w:body></w:document>`,
    },
    ...others,
  ])
}

export const docxParagraph = (text: string, style = '') =>
  `<w:p>${style === '' ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`

export const docxTable = (rows: readonly (readonly string[])[]) =>
  `<w:tbl>${rows.map((cells) => `<w:tr>${cells.map((cell) => `<w:tc>${docxParagraph(cell)}</w:tc>`).join('')}</w:tr>`).join('')}</w:tbl>`
