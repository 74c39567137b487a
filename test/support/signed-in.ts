import type { Browser, BrowserContextOptions } from 'playwright-core'
import type { OperatorRight } from '../../src/operators/operator.ts'
import type { TestApp } from './app.ts'
import { openPage, type TestPage } from './chromium.ts'
import { openConsole, signInNew } from './console.ts'

export interface SignedInPage extends TestPage {
  /** Returns the address of a page of the app's agent. */
  at(path: string): string
  operatorId: number
  /** The cookie that their browser sends. */
  cookie: string
}

export interface SignedInOptions extends BrowserContextOptions {
  right?: OperatorRight
  called?: string
  email?: string
}

/** Opens an empty page in the browser of a new person of the app's team, signed in to the console. */
export async function openSignedIn(
  browser: Browser,
  app: TestApp,
  { right = 'own', called, email, ...options }: SignedInOptions = {},
): Promise<SignedInPage> {
  const { cookie, operatorId } = await signInNew(app, {
    teamId: app.agent.teamId,
    right,
    ...(email ? { email } : {}),
  })
  if (called !== undefined) {
    const console = Object.assign(openConsole(app), { cookie })
    await console.call('PATCH', '/profile', { name: called })
  }
  const opened = await openPage(browser, app.url, options)
  const [name = '', value = ''] = cookie.split('=')
  await opened.page.context().addCookies([{ name, value, url: `${app.url}/console` }])
  return Object.assign(opened, {
    cookie,
    operatorId,
    at: (path: string) => `${app.url}/console/agents/${app.agent.agentId}/${path}`,
  })
}
