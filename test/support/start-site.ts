import { after } from 'node:test'
import type { Browser } from 'playwright-core'
import type { Clock } from '../../src/lib/clock.ts'
import { startApp, type TestApp } from './app.ts'
import { launchBrowser } from './chromium.ts'
import { type ModelServer, startModelServer } from './model-server.ts'
import { startWidget, type TestWidget, type WidgetOptions } from './widget.ts'

/** A site with a widget, an app of its own that answers there, and a browser for visitors. */
interface StartedSite {
  app: TestApp
  model: ModelServer
  browser: Browser
  widget: TestWidget
}

/** Starts a site with a widget, and an app on SQLite. Call it in an asynchronous `describe`: all end after its tests. */
export async function startSite(options: WidgetOptions & { clock?: Clock } = {}): Promise<StartedSite> {
  const { clock, ...ofWidget } = options
  const started = new AsyncDisposableStack()
  after(() => started.disposeAsync())
  const model = started.use(await startModelServer())
  const app = started.adopt(await startApp('sqlite', { PARLEY_MODEL_URL: model.url }, clock), (app) =>
    app.close(),
  )
  const widget = started.use(await startWidget(app.url, app.agent, ofWidget))
  const browser = started.adopt(await launchBrowser(), (browser) => browser.close())
  return { app, model, browser, widget }
}
