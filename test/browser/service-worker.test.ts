import assert from 'node:assert/strict'
import { createECDH } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, describe, it } from 'node:test'
import { becomes } from '../support/becomes.ts'
import { until } from '../support/chromium.ts'
import { openConsole } from '../support/console.ts'
import { startConsole } from '../support/start-console.ts'

describe('the service worker of the console', async () => {
  const { app, own, page } = await startConsole({ serviceWorkers: 'allow' })
  await page.goto(own.at('inbox'))
  await until(page, 'navigator.serviceWorker.controller !== null')
  afterEach(() => page.context().setOffline(false))

  const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()
  const cached = (): Promise<string[]> =>
    page.evaluate(`caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name)
      .then((cache) => cache.keys())
      .then((requests) => requests.map(({ url }) => new URL(url).pathname))))).then((all) => all.flat())`)

  /** Has requests answered by something else, for which it says true. */
  function answerInstead(answer: (request: IncomingMessage, response: ServerResponse) => boolean): void {
    const { server } = app.app.server
    const [listener] = server.listeners('request')
    server.removeAllListeners('request')
    server.on('request', (request, response) => {
      if (!answer(request, response)) listener?.call(server, request, response)
    })
  }

  it('has the scripts and styles of the console and its document, and nothing that the API answered', async () => {
    const names = await cached()
    assert.ok(names.length > 100, `${names.length} files`)
    const others = names.filter((name) => !/^\/console\/assets\/[^/]+\.(js|css)$/.test(name))
    assert.deepEqual(others, ['/console/'])
  })

  it('without a connection a page that was never shown loads, and a reload says what is wrong', async () => {
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'Users' }).click()
    await heading('Users')
    await page.reload()
    await page.getByText('The service cannot be reached.').waitFor()
    await page.context().setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await heading('Users')
  })

  it('a page from before an upgrade goes on with its own scripts, and the next one has the new worker', async () => {
    await page.goto(own.at('inbox'))
    const path = '/console/service-worker.js'
    const old = await (await fetch(app.url + path)).text()
    const [, script = ''] = /"(\/console\/assets\/Details-[^"]+\.js)"/.exec(old) ?? []
    const renamed = '/console/assets/Details-new.js'
    const upgraded = old.replace(script, renamed).replace(/(\$\{PREFIX\})\w+/, '$1next')
    answerInstead(({ url = '' }, response) => {
      if (!url.startsWith('/console/assets/') && url !== path) return false
      const body = { [path]: upgraded, [renamed]: 'export {}' }[url]
      const headers = { 'content-type': 'text/javascript', 'service-worker-allowed': '/console' }
      response.writeHead(body === undefined ? 404 : 200, headers).end(body)
      return true
    })
    await page.evaluate(`navigator.serviceWorker.ready.then((registration) => registration.update())`)
    await until(page, `navigator.serviceWorker.ready.then(({ waiting }) => waiting !== null)`)
    await page.getByRole('link', { name: 'Analytics' }).click()
    await heading('Analytics')
    assert.ok((await cached()).includes(script), 'the page lost its own scripts')
    // Without a page of the earlier version its worker goes, unless the next page comes before that.
    await becomes(async () => {
      await page.goto('about:blank')
      await page.goto(`${app.url}/console/sign-in`)
      return (await cached()).includes(script)
    }, false)
    assert.ok((await cached()).includes(renamed))
  })

  it('shows a notice that is pushed while no page is in view, once, and takes it back', async () => {
    await page.goto(own.at('inbox'))
    const cdp = await page.context().newCDPSession(page)
    let registrationId = ''
    cdp.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      registrationId = registrations[0]?.registrationId ?? registrationId
    })
    await cdp.send('ServiceWorker.enable')
    await becomes(() => registrationId !== '', true)
    const push = (message: object) =>
      cdp.send('ServiceWorker.deliverPushMessage', {
        ...{ origin: app.url, registrationId, data: JSON.stringify(message) },
      })
    // A browser without a screen shows no notifications, so the worker's are kept here.
    const [worker] = page.context().serviceWorkers()
    await worker?.evaluate(`
      self.shown = []
      registration.showNotification = async (_, { tag, body, data }) =>
        void (shown = [...shown.filter((one) => one.tag !== tag), { tag, body, data }])
      registration.getNotifications = async ({ tag }) =>
        shown.filter((one) => one.tag === tag).map((one) => ({ close: () => shown.splice(shown.indexOf(one), 1) }))`)
    const shown = (): Promise<string[]> | undefined =>
      worker?.evaluate(`shown.map(({ tag, body, data }) => [tag, body, data].join(' '))`)
    const notice = { type: 'notice', id: 7, text: 'There is something new for you.', path: '/console' }
    await push({ ...notice, id: 6 })
    assert.deepEqual(await shown(), [])
    // Pages of another path are not the console's.
    await page.goto(`${app.url}/openapi.json`)
    for (const _ of [1, 2]) await push(notice)
    await becomes(shown, ['notice-7 There is something new for you. /console'])
    await push({ type: 'read', id: 7 })
    await becomes(shown, [])
  })

  it('the settings say when the browser cannot be pushed to, and list those that are', async () => {
    const endpoint = 'https://push.example/1'
    const keys = { p256dh: createECDH('prime256v1').generateKeys('base64url'), auth: 'A'.repeat(22) }
    const desk = Object.assign(openConsole(app), { cookie: own.cookie })
    assert.equal((await desk.call('POST', '/notices/push', { endpoint, keys })).status, 201)
    await page.goto(own.at('settings/account'))
    const browsers = page.getByRole('list', { name: 'Browsers with push' })
    await browsers.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Push to this browser' }).click()
    await page.getByText('This browser does not allow notifications of the console.').waitFor()
  })
})
