import type { LinkProps } from '@tanstack/react-router'
import type { OperatorRight } from '../../api/types.ts'

interface Area {
  name:
    | 'agent'
    | 'model'
    | 'messages'
    | 'hours'
    | 'replies'
    | 'macros'
    | 'redaction'
    | 'versions'
    | 'export'
    | 'work'
    | 'people'
    | 'groups'
    | 'targets'
    | 'credentials'
    | 'team'
    | 'audit'
    | 'account'
  to: NonNullable<LinkProps['to']>
  right: OperatorRight
}

/** The areas of the settings: first the agent's, then the team's, then the person's own. */
export const areas: readonly Area[] = [
  { name: 'agent', to: '/agents/$agentId/settings/agent', right: 'read' },
  { name: 'model', to: '/agents/$agentId/settings/model', right: 'read' },
  { name: 'messages', to: '/agents/$agentId/settings/messages', right: 'read' },
  { name: 'hours', to: '/agents/$agentId/settings/hours', right: 'read' },
  { name: 'targets', to: '/agents/$agentId/settings/targets', right: 'read' },
  { name: 'replies', to: '/agents/$agentId/settings/replies', right: 'read' },
  { name: 'macros', to: '/agents/$agentId/settings/macros', right: 'read' },
  { name: 'redaction', to: '/agents/$agentId/settings/redaction', right: 'read' },
  { name: 'versions', to: '/agents/$agentId/settings/versions', right: 'read' },
  { name: 'export', to: '/agents/$agentId/settings/export', right: 'manage' },
  { name: 'work', to: '/agents/$agentId/settings/work', right: 'manage' },
  { name: 'people', to: '/agents/$agentId/settings/people', right: 'own' },
  { name: 'groups', to: '/agents/$agentId/settings/groups', right: 'own' },
  { name: 'credentials', to: '/agents/$agentId/settings/credentials', right: 'own' },
  { name: 'team', to: '/agents/$agentId/settings/team', right: 'own' },
  { name: 'audit', to: '/agents/$agentId/settings/audit', right: 'own' },
  { name: 'account', to: '/agents/$agentId/settings/account', right: 'read' },
]
