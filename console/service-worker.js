// Runs beside the pages of the console, and has all scripts of its version: a part that is shown for the first time
// loads without a connection, and after an upgrade that has given the scripts other names.

/** The scripts and styles of this version, which the build writes here. */
const FILES = []
const PREFIX = 'parley-console '
const CACHE = `${PREFIX}VERSION`
/** Every page of the console is this document. */
const PAGE = '/console/'

self.addEventListener('install', (event) => event.waitUntil(fill()))
self.addEventListener('activate', (event) => event.waitUntil(begin()))
self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  // What the API answers is nobody's but the page's.
  if (origin !== location.origin || !/^\/console(\/(?!api\/)|$)/.test(pathname)) return
  if (request.mode === 'navigate') event.respondWith(page(request))
  else if (pathname.startsWith('/console/assets/')) event.respondWith(script(request))
})

/** Keeps everything, one file after the other, so that it takes nothing from the page. */
async function fill() {
  const cache = await caches.open(CACHE)
  for (const file of FILES) {
    // A name stands for its content, so what an earlier version had is not loaded again.
    const known = await caches.match(file)
    await (known ? cache.put(file, known) : cache.add(file))
  }
  await cache.add(PAGE)
}

/** By then no page of an earlier version is open. */
async function begin() {
  const names = await caches.keys()
  const old = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE)
  await Promise.all(old.map((name) => caches.delete(name)))
  await self.clients.claim()
}

/** The document as the service has it now; without a connection, that of this version. */
function page(request) {
  return fetch(request).catch(async () => (await caches.match(PAGE)) ?? Response.error())
}

/** A script that is asked for again has something behind its name. */
async function script(request) {
  return (await caches.match(request, { ignoreSearch: true })) ?? fetch(request)
}
