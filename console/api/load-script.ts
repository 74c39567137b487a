import { Refusal } from './client.ts'

/** The pauses before a script is requested again. */
const PAUSES_MS = [300, 1_200]
/** The time after a reload for a missing script in which the page is not reloaded for another one. */
const RELOAD_AGAIN_MS = 60_000
/** The time that a browser has to leave the page, unless the person stays because of unsaved changes. */
const LEAVE_MS = 10_000
const RELOADED = 'parley-reloaded'

/**
 * Loads a script. One that fails to load is requested again after a pause, and from another address, since some
 * browsers remember that an address failed.
 * @throws Refusal `script_missing`
 */
export async function loadScript<Module>(load: () => Promise<Module>): Promise<Module> {
  for (const ms of [...PAUSES_MS, null])
    try {
      return await load().catch((error: unknown) => importAnew<Module>(error))
    } catch (error) {
      // An inner script was retried already.
      if (error instanceof Refusal) throw error
      if (ms !== null) await pause(ms)
    }
  throw new Refusal('script_missing', 'A part of the console could not be loaded.')
}

/**
 * Loads a script for a part that is shown. If the script is missing for good, the page is reloaded once: after an
 * upgrade its scripts have other names.
 * @throws Refusal `script_missing`
 */
export async function loadShown<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await loadScript(load)
  } catch (error) {
    if (await mayReload()) {
      sessionStorage.setItem(RELOADED, String(Date.now()))
      location.reload()
      await pause(LEAVE_MS)
    }
    throw error
  }
}

/** Imports the script whose address is in the error of an import. */
async function importAnew<Module>(error: unknown): Promise<Module> {
  const address = /https?:\/\/\S+\.js/.exec(String(error))?.[0]
  if (address === undefined) throw error
  return import(/* @vite-ignore */ `${address}?again=${Date.now()}`)
}

/** Tells whether the page may be reloaded: not if it just was, nor while the service does not answer. */
async function mayReload(): Promise<boolean> {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED)) < RELOAD_AGAIN_MS) return false
  const answer = await fetch('/console/', { method: 'HEAD', cache: 'no-store' }).catch(() => null)
  return answer?.ok === true
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
