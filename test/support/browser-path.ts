import { mkdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import packed from '@sparticuz/chromium'

/** Returns the path of Chromium: of PARLEY_TEST_BROWSER, or of the package. */
export async function browserPath(): Promise<string> {
  return process.env.PARLEY_TEST_BROWSER ?? (await unpacked())
}

/** Unpacks the package's Chromium on first use. Two processes at once would start a half-written one. */
async function unpacked(): Promise<string> {
  const lock = join(tmpdir(), 'parley-chromium.lock')
  for (;;) {
    const isMine = await mkdir(lock).then(
      () => true,
      () => false,
    )
    if (isMine) break
    const { mtimeMs } = await stat(lock).catch(() => ({ mtimeMs: Date.now() }))
    // A process that died left the lock behind.
    if (Date.now() - mtimeMs > 60_000) await rm(lock, { recursive: true, force: true })
    await wait(100)
  }
  try {
    return await packed.executablePath()
  } finally {
    await rm(lock, { recursive: true, force: true })
  }
}
