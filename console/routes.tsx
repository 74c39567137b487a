import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import { Refusal } from './api/client.ts'
import { onSessionEnded, queries } from './api/queries.ts'
import { whoQuery } from './api/session.ts'
import { inboxSearch } from './pages/inbox/inbox-search.ts'
import { isRuleKind, type RuleKind } from './pages/rules/kinds.ts'
import { supportSearch } from './pages/support/support-search.ts'
import { BrokenPage } from './shell/BrokenPage.tsx'
import { Shell } from './shell/Shell.tsx'
import { withTexts } from './texts/index.ts'
import { type Load, lazyPage } from './ui/lazy-part.tsx'
import { MissingPage } from './ui/MissingPage.tsx'

// Addresses and the pages behind them. A page's script loads when the page is first opened, together with the texts
// that the inbox does not show.

/** Makes the component of a page that needs more texts than the inbox. */
function pageWithTexts<Name extends string>(load: Load<Name, object>, name: Name) {
  return lazyPage(withTexts(load), name)
}

/** Makes the route of such a page, when its address has no query. */
function page<Parent extends AnyRoute, Path extends string, Name extends string>(
  parent: Parent,
  path: Path,
  name: Name,
  load: Load<Name, object>,
) {
  return createRoute({ getParentRoute: () => parent, path, component: pageWithTexts(load, name) })
}

const root = createRootRoute({ component: Outlet, notFoundComponent: MissingPage })

const join = createRoute({
  getParentRoute: () => root,
  path: '/join',
  component: pageWithTexts(() => import('./pages/join/JoinPage.tsx'), 'JoinPage'),
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  component: pageWithTexts(() => import('./pages/sign-in/SignInPage.tsx'), 'SignInPage'),
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
  component: pageWithTexts(() => import('./pages/two-factor/TwoFactorPage.tsx'), 'TwoFactorPage'),
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
  component: pageWithTexts(() => import('./pages/no-agent/NoAgentPage.tsx'), 'NoAgentPage'),
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

const start = page(agent, '/start', 'StartPage', () => import('./pages/start/StartPage.tsx'))
const playground = page(
  agent,
  '/playground',
  'PlaygroundPage',
  () => import('./pages/playground/PlaygroundPage.tsx'),
)
const knowledge = page(
  agent,
  '/knowledge',
  'KnowledgePage',
  () => import('./pages/knowledge/KnowledgePage.tsx'),
)
const document = page(
  agent,
  '/knowledge/$documentId',
  'DocumentPage',
  () => import('./pages/knowledge/DocumentPage.tsx'),
)
const site = page(
  agent,
  '/knowledge/sites/$siteId',
  'SitePage',
  () => import('./pages/knowledge/sites/SitePage.tsx'),
)

const rules = createRoute({
  getParentRoute: () => agent,
  path: '/rules',
  validateSearch: ({ kind }: Record<string, unknown>): { kind?: RuleKind } =>
    isRuleKind(kind) ? { kind } : {},
  component: pageWithTexts(() => import('./pages/rules/RulesPage.tsx'), 'RulesPage'),
})

const rule = page(agent, '/rules/$kind/$ruleId', 'RulePage', () => import('./pages/rules/RulePage.tsx'))
const tools = page(agent, '/tools', 'ToolsPage', () => import('./pages/tools/ToolsPage.tsx'))
const tool = page(agent, '/tools/$toolId', 'ToolPage', () => import('./pages/tools/ToolPage.tsx'))
const tests = page(agent, '/tests', 'TestsPage', () => import('./pages/tests/TestsPage.tsx'))
const dataset = page(agent, '/tests/$datasetId', 'DatasetPage', () => import('./pages/tests/DatasetPage.tsx'))
const testCase = page(
  agent,
  '/tests/$datasetId/cases/$caseId',
  'CasePage',
  () => import('./pages/tests/CasePage.tsx'),
)
const testRun = page(
  agent,
  '/tests/$datasetId/runs/$runId',
  'RunPage',
  () => import('./pages/tests/RunPage.tsx'),
)
const webhooks = page(agent, '/webhooks', 'WebhooksPage', () => import('./pages/webhooks/WebhooksPage.tsx'))
const webhook = page(
  agent,
  '/webhooks/$webhookId',
  'WebhookPage',
  () => import('./pages/webhooks/WebhookPage.tsx'),
)
const widgets = page(agent, '/widgets', 'WidgetsPage', () => import('./pages/widgets/WidgetsPage.tsx'))
const widget = page(agent, '/widgets/$widgetId', 'WidgetPage', () => import('./pages/widgets/WidgetPage.tsx'))
const channels = page(agent, '/channels', 'ChannelsPage', () => import('./pages/channels/ChannelsPage.tsx'))
const channel = page(
  agent,
  '/channels/$channelId',
  'ChannelPage',
  () => import('./pages/channels/ChannelPage.tsx'),
)
const analytics = page(
  agent,
  '/analytics',
  'AnalyticsPage',
  () => import('./pages/analytics/AnalyticsPage.tsx'),
)
const support = createRoute({
  getParentRoute: () => agent,
  path: '/support',
  validateSearch: supportSearch,
  component: pageWithTexts(() => import('./pages/support/SupportPage.tsx'), 'SupportPage'),
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
  component: pageWithTexts(() => import('./pages/search/SearchPage.tsx'), 'SearchPage'),
})

const users = createRoute({
  getParentRoute: () => agent,
  path: '/users',
  validateSearch: ({ q }: Record<string, unknown>): { q?: string } =>
    q === undefined || q === '' ? {} : { q: String(q) },
  component: pageWithTexts(() => import('./pages/users/UsersPage.tsx'), 'UsersPage'),
})

const user = page(agent, '/users/$userId', 'UserPage', () => import('./pages/users/UserPage.tsx'))
const settings = page(agent, '/settings', 'SettingsPage', () => import('./pages/settings/SettingsPage.tsx'))

const settingsHome = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/agents/$agentId/settings/agent', params })
  },
})

const agentSettings = page(
  settings,
  '/agent',
  'AgentSettings',
  () => import('./pages/settings/agent/AgentSettings.tsx'),
)
const modelSettings = page(
  settings,
  '/model',
  'ModelSettings',
  () => import('./pages/settings/model/ModelSettings.tsx'),
)
const messageSettings = page(
  settings,
  '/messages',
  'MessageSettings',
  () => import('./pages/settings/messages/MessageSettings.tsx'),
)
const hoursSettings = page(
  settings,
  '/hours',
  'HoursSettings',
  () => import('./pages/settings/hours/HoursSettings.tsx'),
)
const replySettings = page(
  settings,
  '/replies',
  'ReplySettings',
  () => import('./pages/settings/replies/ReplySettings.tsx'),
)
const macroSettings = page(
  settings,
  '/macros',
  'MacroSettings',
  () => import('./pages/settings/macros/MacroSettings.tsx'),
)
const redactionSettings = page(
  settings,
  '/redaction',
  'RedactionSettings',
  () => import('./pages/settings/redaction/RedactionSettings.tsx'),
)
const account = page(
  settings,
  '/account',
  'AccountSettings',
  () => import('./pages/settings/account/AccountSettings.tsx'),
)
const exportSettings = page(
  settings,
  '/export',
  'ExportSettings',
  () => import('./pages/settings/export/ExportSettings.tsx'),
)
const work = page(settings, '/work', 'WorkSettings', () => import('./pages/settings/work/WorkSettings.tsx'))
const groups = page(
  settings,
  '/groups',
  'GroupSettings',
  () => import('./pages/settings/groups/GroupSettings.tsx'),
)
const targets = page(
  settings,
  '/targets',
  'TargetSettings',
  () => import('./pages/settings/targets/TargetSettings.tsx'),
)
const people = page(
  settings,
  '/people',
  'PeopleSettings',
  () => import('./pages/settings/people/PeopleSettings.tsx'),
)
const credentials = page(
  settings,
  '/credentials',
  'CredentialSettings',
  () => import('./pages/settings/credentials/CredentialSettings.tsx'),
)
const team = page(settings, '/team', 'TeamSettings', () => import('./pages/settings/team/TeamSettings.tsx'))
const audit = page(
  settings,
  '/audit',
  'AuditSettings',
  () => import('./pages/settings/audit/AuditSettings.tsx'),
)
const versions = page(
  settings,
  '/versions',
  'VersionSettings',
  () => import('./pages/settings/versions/VersionSettings.tsx'),
)

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
      support,
      settings.addChildren([
        settingsHome,
        agentSettings,
        modelSettings,
        messageSettings,
        hoursSettings,
        targets,
        replySettings,
        macroSettings,
        redactionSettings,
        versions,
        exportSettings,
        work,
        people,
        groups,
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
