// Runs beside the pages of the console and keeps all scripts of its version. A part that is shown for the first time
// loads without a connection, and after an upgrade that has renamed the scripts. Shows notices that are pushed.

/** The scripts and styles of this version; the build fills them in. */
const FILES = []
const PREFIX = 'parley-console '
const CACHE = `${PREFIX}VERSION`
/** The document that every page of the console shares. */
const PAGE = '/console/'

self.addEventListener('install', (event) => event.waitUntil(fill()))
self.addEventListener('activate', (event) => event.waitUntil(begin()))
self.addEventListener('push', (event) => event.waitUntil(tell(event.data.json())))
self.addEventListener('notificationclick', (event) => event.waitUntil(follow(event.notification)))
self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  // Answers of the API are left to the page.
  if (origin !== location.origin || !/^\/console(\/(?!api\/)|$)/.test(pathname)) return
  if (request.mode === 'navigate') event.respondWith(page(request))
  else if (pathname.startsWith('/console/assets/')) event.respondWith(script(request))
})

/** Caches everything, one file after the other, so that it does not slow the page. */
async function fill() {
  const cache = await caches.open(CACHE)
  for (const file of FILES) {
    // A file's name stands for its content, so a file that an earlier version had is not loaded again.
    const known = await caches.match(file)
    await (known ? cache.put(file, known) : cache.add(file))
  }
  await cache.add(PAGE)
}

/** Deletes the caches of earlier versions. No page of an earlier version is open by then. */
async function begin() {
  const names = await caches.keys()
  const old = names.filter((name) => name.startsWith(PREFIX) && name !== CACHE)
  await Promise.all(old.map((name) => caches.delete(name)))
  await self.clients.claim()
}

/** Returns the document as the service has it now; without a connection, that of this version. */
function page(request) {
  return fetch(request).catch(async () => (await caches.match(PAGE)) ?? Response.error())
}

/** Returns a script. The address of a retry has a query after its name, which is ignored. */
async function script(request) {
  return (await caches.match(request, { ignoreSearch: true })) ?? fetch(request)
}

/** Shows a notice, unless a page of the console is in view, and takes one back that was read elsewhere. */
async function tell({ type, id, text, path }) {
  const tag = `notice-${id}`
  if (type === 'read') {
    for (const shown of await self.registration.getNotifications({ tag })) shown.close()
    return
  }
  const pages = await self.clients.matchAll({ type: 'window' })
  if (pages.some(({ visibilityState }) => visibilityState === 'visible')) return
  await self.registration.showNotification('Parley', { body: text, tag, data: path })
}

/** Leads to what a notice is about: to a page that shows it, or a new one. */
async function follow(notification) {
  notification.close()
  const { href } = new URL(notification.data, location.origin)
  const pages = await self.clients.matchAll({ type: 'window' })
  const page = pages.find(({ url }) => url === href)
  await (page ? page.focus() : self.clients.openWindow(href))
}
