import type { LinkProps } from '@tanstack/react-router'
import type { OperatorRight } from '../api/types.ts'
import type { Icon } from '../ui/icons.tsx'
import {
  BookIcon,
  ChartIcon,
  CircleCheckIcon,
  FlaskIcon,
  HeadsetIcon,
  InboxIcon,
  PlugIcon,
  RocketIcon,
  SearchIcon,
  SettingsIcon,
  ShieldIcon,
  SpeechIcon,
  ToolIcon,
  UsersIcon,
  WebhookIcon,
} from '../ui/icons.tsx'

interface NamedPage {
  name:
    | 'inbox'
    | 'search'
    | 'users'
    | 'start'
    | 'playground'
    | 'knowledge'
    | 'rules'
    | 'channels'
    | 'tools'
    | 'tests'
    | 'webhooks'
    | 'widgets'
    | 'analytics'
    | 'support'
    | 'settings'
  to: NonNullable<LinkProps['to']>
  icon: Icon
  /** The letter that opens the page after `g`. */
  letter: string
  right: OperatorRight
}

export interface PageGroup {
  name: 'desk' | 'agent' | 'connections' | 'measure' | 'settings'
  pages: readonly NamedPage[]
}

/** The pages of an agent in the groups of the side bar, both in its order. */
export const groups: readonly PageGroup[] = [
  {
    name: 'desk',
    pages: [
      { name: 'inbox', to: '/agents/$agentId/inbox', icon: InboxIcon, letter: 'i', right: 'read' },
      { name: 'search', to: '/agents/$agentId/search', icon: SearchIcon, letter: 'f', right: 'read' },
      { name: 'users', to: '/agents/$agentId/users', icon: UsersIcon, letter: 'u', right: 'read' },
    ],
  },
  {
    name: 'agent',
    pages: [
      { name: 'start', to: '/agents/$agentId/start', icon: RocketIcon, letter: 't', right: 'read' },
      { name: 'playground', to: '/agents/$agentId/playground', icon: FlaskIcon, letter: 'p', right: 'read' },
      { name: 'knowledge', to: '/agents/$agentId/knowledge', icon: BookIcon, letter: 'k', right: 'read' },
      { name: 'rules', to: '/agents/$agentId/rules', icon: ShieldIcon, letter: 'r', right: 'read' },
      { name: 'tools', to: '/agents/$agentId/tools', icon: ToolIcon, letter: 'o', right: 'read' },
      { name: 'tests', to: '/agents/$agentId/tests', icon: CircleCheckIcon, letter: 'd', right: 'read' },
    ],
  },
  {
    name: 'connections',
    pages: [
      { name: 'channels', to: '/agents/$agentId/channels', icon: PlugIcon, letter: 'c', right: 'read' },
      { name: 'widgets', to: '/agents/$agentId/widgets', icon: SpeechIcon, letter: 'e', right: 'manage' },
      { name: 'webhooks', to: '/agents/$agentId/webhooks', icon: WebhookIcon, letter: 'w', right: 'read' },
    ],
  },
  {
    name: 'measure',
    pages: [
      { name: 'analytics', to: '/agents/$agentId/analytics', icon: ChartIcon, letter: 'a', right: 'read' },
      { name: 'support', to: '/agents/$agentId/support', icon: HeadsetIcon, letter: 'm', right: 'read' },
    ],
  },
  {
    name: 'settings',
    pages: [
      { name: 'settings', to: '/agents/$agentId/settings', icon: SettingsIcon, letter: 's', right: 'read' },
    ],
  },
]

/** All of them. */
export const pages = groups.flatMap(({ pages }) => pages)
