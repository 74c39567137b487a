import { createPublicKey } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { fingerprintOf, isSigned, type SignedReceipt, signedReceiptSchema } from '../receipts/receipt.ts'
import { commitmentTo } from '../receipts/subject.ts'
import { type Command, UsageError } from './command.ts'

/** The largest file that is read: a page of receipts takes less. */
const LARGEST = 4 * 1024 * 1024
/** The exit code if the signatures fit, but only by the key in the file itself, which a forger can supply, too. */
const NOBODY_VOUCHED = 3

export const verifyReceipts: Command = {
  name: 'receipts verify',
  usage: 'FILE [--key FILE | --fingerprint SHA256:…] [--subject SOURCE:ID --subject-key KEY]',
  summary: 'Verify receipts of erasures without the service; --subject: that they are about this end user',
  options: {
    key: { type: 'string' },
    fingerprint: { type: 'string' },
    subject: { type: 'string' },
    'subject-key': { type: 'string' },
  },
  positionals: 1,
  async run({ positionals: [file = ''], options, print }) {
    const { key, fingerprint, subject, 'subject-key': subjectKey } = options as Record<string, string>
    if (key && fingerprint) throw new UsageError('give --key or --fingerprint, not both')
    if (!subject !== !subjectKey) throw new UsageError('--subject and --subject-key belong together')
    const trusted = key ? await fingerprintIn(key) : (fingerprint ?? null)
    const commitment = subject && subjectKey ? commitmentTo(subject, subjectKey) : null
    const verdicts = (await receiptsIn(file)).map((signed) => judge(signed, trusted, commitment))
    const isValid = verdicts.every(({ wrong }) => wrong === null)
    print(
      { valid: isValid && trusted !== null, key_checked: trusted !== null, receipts: verdicts },
      verdicts.flatMap((verdict) => linesOf(verdict, trusted !== null)),
    )
    if (!isValid) return 1
    return trusted === null ? NOBODY_VOUCHED : 0
  },
}

interface Verdict {
  receipt: SignedReceipt['receipt']
  fingerprint: string
  /** Null: it is valid. */
  wrong: string | null
}

function judge(signed: SignedReceipt, trusted: string | null, commitment: string | null): Verdict {
  const { receipt, public_key } = signed
  const fingerprint = fingerprintOf(Buffer.from(public_key, 'base64'))
  const { subject } = receipt
  const wrong = !isSigned(signed)
    ? 'the signature does not fit: the receipt was changed, or never signed'
    : trusted !== null && fingerprint !== trusted
      ? `it was signed by another key, ${fingerprint}`
      : commitment !== null && (subject.kind !== 'user' || subject.commitment !== commitment)
        ? 'it is not about this end user'
        : null
  return { receipt, fingerprint, wrong }
}

function linesOf({ receipt, fingerprint, wrong }: Verdict, isTrusted: boolean): string[] {
  const { id, mode, agent_id, subject, by, began_at, finished_at, erased, engine, backups } = receipt
  if (wrong !== null) return [`NOT VALID: receipt ${id}: ${wrong}`]
  const what = subject.kind === 'completion' ? `completion ${subject.id}` : subject.kind
  const counted = (counts: Record<string, number>) =>
    Object.entries(counts)
      .map(([name, count]) => `${name} ${count}`)
      .join(', ') || 'none'
  const kept = erased.files_kept ? `, files that stay ${erased.files_kept}` : ''
  return [
    `${isTrusted ? 'VALID' : 'SIGNED, BY AN UNKNOWN KEY'}: receipt ${id}, signed by ${fingerprint}`,
    ...(isTrusted
      ? []
      : ['  Nobody has vouched for this key yet: compare it, or give --key or --fingerprint']),
    `  ${mode} of ${what}, agent ${agent_id}, by ${by.kind}${by.id === null ? '' : ` ${by.id}`}`,
    `  from ${began_at} to ${finished_at}`,
    `  rows: ${counted(erased.rows)}`,
    `  values: ${counted(erased.values)}`,
    `  search index ${erased.index}, vectors ${erased.vectors}, files ${erased.files}${kept}`,
    `  on ${engine.name}: ${engine.guarantees.join(' ')}`,
    `  older backups: ${backups.count}${backups.count > 0 ? `, ${backups.times.join(', ')}` : ''}`,
  ]
}

/** Reads a file with a receipt as it was downloaded, or with an answer of the API that holds one or some. */
async function receiptsIn(file: string): Promise<SignedReceipt[]> {
  const refuse = () => new Error(`${file} holds no receipt of an erasure, or only a part of one`)
  let content: unknown
  try {
    content = JSON.parse(await readBounded(file))
  } catch (error) {
    if (error instanceof SyntaxError) throw refuse()
    throw error
  }
  const data = typeof content === 'object' && content !== null && 'data' in content ? content.data : content
  const receipts = [data].flat()
  if (receipts.length === 0 || receipts.some((one) => !signedReceiptSchema.safeParse(one).success))
    throw refuse()
  // Not the schema's output: it lacks unknown fields, which were signed as well.
  return receipts as SignedReceipt[]
}

async function fingerprintIn(file: string): Promise<string> {
  const pem = await readBounded(file)
  try {
    return fingerprintOf(createPublicKey(pem))
  } catch {
    throw new Error(`${file} holds no public key`)
  }
}

async function readBounded(file: string): Promise<string> {
  const { size } = await stat(file)
  if (size > LARGEST) throw new Error(`${file} is too large`)
  return readFile(file, 'utf8')
}
