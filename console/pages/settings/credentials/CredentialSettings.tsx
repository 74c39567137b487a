import { useTranslation } from 'react-i18next'
import { CopyText } from '../../../ui/CopyText.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Section } from '../../../ui/Section.tsx'
import { AgentKeys } from './AgentKeys.tsx'
import { TeamTokens } from './TeamTokens.tsx'

/** The credentials of programs: a key names the agent, a token the caller; calls carry both. */
export function CredentialSettings() {
  const { t } = useTranslation()
  return (
    <Page title={t('settings.areas.credentials')} lead={t('credentials.lead')} narrow>
      <AgentKeys />
      <TeamTokens />
      <Section title={t('credentials.use')} lead={t('credentials.useLead')}>
        <CopyText label={t('credentials.example')} value={exampleCall(location.origin)} />
      </Section>
    </Page>
  )
}

function exampleCall(origin: string): string {
  return [
    `curl ${origin}/api/v1/chat/completions \\`,
    "  -H 'x-api-key: parley_key_…' \\",
    "  -H 'authorization: Bearer parley_token_…' \\",
    "  -H 'content-type: application/json' \\",
    `  -d '{"messages":[{"role":"user","content":"Hello"}]}'`,
  ].join('\n')
}
