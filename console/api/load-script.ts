import { Refusal } from './client.ts'

/** The pauses before a script is asked for again. */
const PAUSES_MS = [300, 1_200]
/** A page that was loaded anew for a missing script is not loaded anew for another one within this time. */
const RELOAD_AGAIN_MS = 60_000
/** The time in which a browser leaves the page, unless the person keeps it for what they have not saved. */
const LEAVE_MS = 10_000
const RELOADED = 'parley-reloaded'

/**
 * Loads a script. One that does not come is asked for again after a pause, and from another address, since some
 * browsers remember that an address failed.
 * @throws Refusal `script_missing`
 */
export async function loadScript<Module>(load: () => Promise<Module>): Promise<Module> {
  for (const ms of [...PAUSES_MS, null])
    try {
      return await load().catch((error: unknown) => importAnew<Module>(error))
    } catch (error) {
      // Its own parts were asked for again already.
      if (error instanceof Refusal) throw error
      if (ms !== null) await pause(ms)
    }
  throw new Refusal('script_missing', 'A part of the console could not be loaded.')
}

/**
 * Loads a script for a part that is shown. If it is missing for good, the page is loaded anew, once: after an upgrade
 * its scripts have other names.
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

/** Imports the script whose address the error of an import names. */
async function importAnew<Module>(error: unknown): Promise<Module> {
  const address = /https?:\/\/\S+\.js/.exec(String(error))?.[0]
  if (address === undefined) throw error
  return import(/* @vite-ignore */ `${address}?again=${Date.now()}`)
}

/** Tells whether the page may be loaded anew: not if it just was, nor while nothing would answer. */
async function mayReload(): Promise<boolean> {
  if (Date.now() - Number(sessionStorage.getItem(RELOADED)) < RELOAD_AGAIN_MS) return false
  const answer = await fetch('/console/', { method: 'HEAD', cache: 'no-store' }).catch(() => null)
  return answer?.ok === true
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
