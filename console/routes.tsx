import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router'
import { Refusal } from './api/client.ts'
import { onSessionEnded, queries } from './api/queries.ts'
import { whoQuery } from './api/session.ts'
import { inboxSearch } from './pages/inbox/inbox-search.ts'
import { isRuleKind, type RuleKind } from './pages/rules/kinds.ts'
import { BrokenPage } from './shell/BrokenPage.tsx'
import { MissingPage } from './shell/MissingPage.tsx'
import { Shell } from './shell/Shell.tsx'
import { withTexts } from './texts/index.ts'
import { lazyPage } from './ui/lazy-part.tsx'

// Addresses and the pages behind them. A page's script loads when the page is first opened, together with the texts
// that the inbox does not show.

const root = createRootRoute({ component: Outlet, notFoundComponent: MissingPage })

const join = createRoute({
  getParentRoute: () => root,
  path: '/join',
  component: lazyPage(() => import('./pages/join/JoinPage.tsx'), 'JoinPage'),
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: lazyPage(() => import('./pages/sign-in/SignInPage.tsx'), 'SignInPage'),
  validateSearch: ({ to, error }: Record<string, unknown>): { to?: string; error?: string } => ({
    ...(typeof to === 'string' ? { to } : {}),
    ...(typeof error === 'string' ? { error } : {}),
  }),
})

/** Reads who is signed in; anyone else goes to the sign-in, and from there back to `href`. */
async function requireWho(href: string | undefined) {
  return queries.ensureQueryData(whoQuery).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'no_session')
      throw redirect({ to: '/sign-in', search: href === undefined ? {} : { to: href } })
    throw error
  })
}

const twoFactor = createRoute({
  getParentRoute: () => root,
  path: '/two-factor',
  component: lazyPage(
    withTexts(() => import('./pages/two-factor/TwoFactorPage.tsx')),
    'TwoFactorPage',
  ),
  validateSearch: ({ to }: Record<string, unknown>): { to?: string } =>
    typeof to === 'string' ? { to } : {},
  beforeLoad: async ({ search }) => {
    if (!(await requireWho(search.to)).needs_two_factor) throw redirect({ to: '/' })
  },
})

const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Shell,
  beforeLoad: async ({ location }) => {
    const href = location.pathname === '/' ? undefined : location.href
    const who = await requireWho(href)
    if (who.needs_two_factor)
      throw redirect({ to: '/two-factor', search: href === undefined ? {} : { to: href } })
    return { who }
  },
})

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  beforeLoad: ({ context: { who } }) => {
    const [first] = who.agents
    if (first) throw redirect({ to: '/agents/$agentId', params: { agentId: String(first.id) } })
  },
  component: lazyPage(() => import('./pages/no-agent/NoAgentPage.tsx'), 'NoAgentPage'),
})

const agent = createRoute({
  getParentRoute: () => signedIn,
  path: '/agents/$agentId',
  beforeLoad: ({ params, context: { who } }) => {
    if (!who.agents.some(({ id }) => String(id) === params.agentId)) throw redirect({ to: '/' })
  },
})

const agentHome = createRoute({
  getParentRoute: () => agent,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/agents/$agentId/inbox', params })
  },
})

const start = createRoute({
  getParentRoute: () => agent,
  path: '/start',
  component: lazyPage(
    withTexts(() => import('./pages/start/StartPage.tsx')),
    'StartPage',
  ),
})

const playground = createRoute({
  getParentRoute: () => agent,
  path: '/playground',
  component: lazyPage(
    withTexts(() => import('./pages/playground/PlaygroundPage.tsx')),
    'PlaygroundPage',
  ),
})

const knowledge = createRoute({
  getParentRoute: () => agent,
  path: '/knowledge',
  component: lazyPage(
    withTexts(() => import('./pages/knowledge/KnowledgePage.tsx')),
    'KnowledgePage',
  ),
})

const document = createRoute({
  getParentRoute: () => agent,
  path: '/knowledge/$documentId',
  component: lazyPage(
    withTexts(() => import('./pages/knowledge/DocumentPage.tsx')),
    'DocumentPage',
  ),
})

const site = createRoute({
  getParentRoute: () => agent,
  path: '/knowledge/sites/$siteId',
  component: lazyPage(
    withTexts(() => import('./pages/knowledge/sites/SitePage.tsx')),
    'SitePage',
  ),
})

const rules = createRoute({
  getParentRoute: () => agent,
  path: '/rules',
  validateSearch: ({ kind }: Record<string, unknown>): { kind?: RuleKind } =>
    isRuleKind(kind) ? { kind } : {},
  component: lazyPage(
    withTexts(() => import('./pages/rules/RulesPage.tsx')),
    'RulesPage',
  ),
})

const rule = createRoute({
  getParentRoute: () => agent,
  path: '/rules/$kind/$ruleId',
  component: lazyPage(
    withTexts(() => import('./pages/rules/RulePage.tsx')),
    'RulePage',
  ),
})

const tools = createRoute({
  getParentRoute: () => agent,
  path: '/tools',
  component: lazyPage(
    withTexts(() => import('./pages/tools/ToolsPage.tsx')),
    'ToolsPage',
  ),
})

const tool = createRoute({
  getParentRoute: () => agent,
  path: '/tools/$toolId',
  component: lazyPage(
    withTexts(() => import('./pages/tools/ToolPage.tsx')),
    'ToolPage',
  ),
})

const tests = createRoute({
  getParentRoute: () => agent,
  path: '/tests',
  component: lazyPage(
    withTexts(() => import('./pages/tests/TestsPage.tsx')),
    'TestsPage',
  ),
})

const dataset = createRoute({
  getParentRoute: () => agent,
  path: '/tests/$datasetId',
  component: lazyPage(
    withTexts(() => import('./pages/tests/DatasetPage.tsx')),
    'DatasetPage',
  ),
})

const testCase = createRoute({
  getParentRoute: () => agent,
  path: '/tests/$datasetId/cases/$caseId',
  component: lazyPage(
    withTexts(() => import('./pages/tests/CasePage.tsx')),
    'CasePage',
  ),
})

const testRun = createRoute({
  getParentRoute: () => agent,
  path: '/tests/$datasetId/runs/$runId',
  component: lazyPage(
    withTexts(() => import('./pages/tests/RunPage.tsx')),
    'RunPage',
  ),
})

const webhooks = createRoute({
  getParentRoute: () => agent,
  path: '/webhooks',
  component: lazyPage(
    withTexts(() => import('./pages/webhooks/WebhooksPage.tsx')),
    'WebhooksPage',
  ),
})

const webhook = createRoute({
  getParentRoute: () => agent,
  path: '/webhooks/$webhookId',
  component: lazyPage(
    withTexts(() => import('./pages/webhooks/WebhookPage.tsx')),
    'WebhookPage',
  ),
})

const widgets = createRoute({
  getParentRoute: () => agent,
  path: '/widgets',
  component: lazyPage(
    withTexts(() => import('./pages/widgets/WidgetsPage.tsx')),
    'WidgetsPage',
  ),
})

const widget = createRoute({
  getParentRoute: () => agent,
  path: '/widgets/$widgetId',
  component: lazyPage(
    withTexts(() => import('./pages/widgets/WidgetPage.tsx')),
    'WidgetPage',
  ),
})

const channels = createRoute({
  getParentRoute: () => agent,
  path: '/channels',
  component: lazyPage(
    withTexts(() => import('./pages/channels/ChannelsPage.tsx')),
    'ChannelsPage',
  ),
})

const channel = createRoute({
  getParentRoute: () => agent,
  path: '/channels/$channelId',
  component: lazyPage(
    withTexts(() => import('./pages/channels/ChannelPage.tsx')),
    'ChannelPage',
  ),
})

const analytics = createRoute({
  getParentRoute: () => agent,
  path: '/analytics',
  component: lazyPage(
    withTexts(() => import('./pages/analytics/AnalyticsPage.tsx')),
    'AnalyticsPage',
  ),
})

const inbox = createRoute({
  getParentRoute: () => agent,
  path: '/inbox',
  validateSearch: inboxSearch,
  component: lazyPage(() => import('./pages/inbox/InboxPage.tsx'), 'InboxPage'),
})

const nothingOpen = createRoute({
  getParentRoute: () => inbox,
  path: '/',
  component: lazyPage(() => import('./pages/inbox/NothingOpen.tsx'), 'NothingOpen'),
})

const conversation = createRoute({
  getParentRoute: () => inbox,
  path: '/$conversationId',
  validateSearch: ({ message }: Record<string, unknown>): { message?: number } =>
    Number.isSafeInteger(message) ? { message: Number(message) } : {},
  component: lazyPage(() => import('./pages/inbox/ConversationPage.tsx'), 'ConversationPage'),
})

const search = createRoute({
  getParentRoute: () => agent,
  path: '/search',
  validateSearch: ({ q, in: kind }: Record<string, unknown>): { q?: string; in?: 'notes' } => ({
    ...(q === undefined || q === '' ? {} : { q: String(q) }),
    ...(kind === 'notes' ? { in: kind } : {}),
  }),
  component: lazyPage(
    withTexts(() => import('./pages/search/SearchPage.tsx')),
    'SearchPage',
  ),
})

const users = createRoute({
  getParentRoute: () => agent,
  path: '/users',
  validateSearch: ({ q }: Record<string, unknown>): { q?: string } =>
    q === undefined || q === '' ? {} : { q: String(q) },
  component: lazyPage(
    withTexts(() => import('./pages/users/UsersPage.tsx')),
    'UsersPage',
  ),
})

const user = createRoute({
  getParentRoute: () => agent,
  path: '/users/$userId',
  component: lazyPage(
    withTexts(() => import('./pages/users/UserPage.tsx')),
    'UserPage',
  ),
})

const settings = createRoute({
  getParentRoute: () => agent,
  path: '/settings',
  component: lazyPage(
    withTexts(() => import('./pages/settings/SettingsPage.tsx')),
    'SettingsPage',
  ),
})

const settingsHome = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/agents/$agentId/settings/agent', params })
  },
})

const agentSettings = createRoute({
  getParentRoute: () => settings,
  path: '/agent',
  component: lazyPage(
    withTexts(() => import('./pages/settings/agent/AgentSettings.tsx')),
    'AgentSettings',
  ),
})

const modelSettings = createRoute({
  getParentRoute: () => settings,
  path: '/model',
  component: lazyPage(
    withTexts(() => import('./pages/settings/model/ModelSettings.tsx')),
    'ModelSettings',
  ),
})

const messageSettings = createRoute({
  getParentRoute: () => settings,
  path: '/messages',
  component: lazyPage(
    withTexts(() => import('./pages/settings/messages/MessageSettings.tsx')),
    'MessageSettings',
  ),
})

const replySettings = createRoute({
  getParentRoute: () => settings,
  path: '/replies',
  component: lazyPage(
    withTexts(() => import('./pages/settings/replies/ReplySettings.tsx')),
    'ReplySettings',
  ),
})

const redactionSettings = createRoute({
  getParentRoute: () => settings,
  path: '/redaction',
  component: lazyPage(
    withTexts(() => import('./pages/settings/redaction/RedactionSettings.tsx')),
    'RedactionSettings',
  ),
})

const account = createRoute({
  getParentRoute: () => settings,
  path: '/account',
  component: lazyPage(
    withTexts(() => import('./pages/settings/account/AccountSettings.tsx')),
    'AccountSettings',
  ),
})

const exportSettings = createRoute({
  getParentRoute: () => settings,
  path: '/export',
  component: lazyPage(
    withTexts(() => import('./pages/settings/export/ExportSettings.tsx')),
    'ExportSettings',
  ),
})

const work = createRoute({
  getParentRoute: () => settings,
  path: '/work',
  component: lazyPage(
    withTexts(() => import('./pages/settings/work/WorkSettings.tsx')),
    'WorkSettings',
  ),
})

const people = createRoute({
  getParentRoute: () => settings,
  path: '/people',
  component: lazyPage(
    withTexts(() => import('./pages/settings/people/PeopleSettings.tsx')),
    'PeopleSettings',
  ),
})

const credentials = createRoute({
  getParentRoute: () => settings,
  path: '/credentials',
  component: lazyPage(
    withTexts(() => import('./pages/settings/credentials/CredentialSettings.tsx')),
    'CredentialSettings',
  ),
})

const team = createRoute({
  getParentRoute: () => settings,
  path: '/team',
  component: lazyPage(
    withTexts(() => import('./pages/settings/team/TeamSettings.tsx')),
    'TeamSettings',
  ),
})

const audit = createRoute({
  getParentRoute: () => settings,
  path: '/audit',
  component: lazyPage(
    withTexts(() => import('./pages/settings/audit/AuditSettings.tsx')),
    'AuditSettings',
  ),
})

const versions = createRoute({
  getParentRoute: () => settings,
  path: '/versions',
  component: lazyPage(
    withTexts(() => import('./pages/settings/versions/VersionSettings.tsx')),
    'VersionSettings',
  ),
})

const routeTree = root.addChildren([
  join,
  signIn,
  twoFactor,
  signedIn.addChildren([
    home,
    agent.addChildren([
      agentHome,
      start,
      inbox.addChildren([nothingOpen, conversation]),
      search,
      users,
      user,
      playground,
      knowledge,
      document,
      site,
      channels,
      channel,
      rules,
      rule,
      tools,
      tool,
      tests,
      dataset,
      testCase,
      testRun,
      webhooks,
      webhook,
      widgets,
      widget,
      analytics,
      settings.addChildren([
        settingsHome,
        agentSettings,
        modelSettings,
        messageSettings,
        replySettings,
        redactionSettings,
        versions,
        exportSettings,
        work,
        people,
        credentials,
        team,
        audit,
        account,
      ]),
    ]),
  ]),
])

export const router = createRouter({
  routeTree,
  basepath: '/console',
  defaultPreload: 'intent',
  defaultErrorComponent: BrokenPage,
  defaultNotFoundComponent: MissingPage,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}

onSessionEnded(() => {
  const { pathname, href } = router.state.location
  if (pathname === '/sign-in' || pathname === '/join') return
  queries.removeQueries({ queryKey: whoQuery.queryKey })
  void router.navigate({ to: '/sign-in', search: { to: href } })
})
