import { useTranslation } from 'react-i18next'

/** The settings that have fields of their own. */
export const servers = {
  model: 'settings.model.server',
  embedding: 'settings.model.embedding',
  transcription: 'settings.model.transcription',
  redaction: 'settings.redaction.hosted',
} as const

const fields = {
  name: 'settings.agent.name',
  instructions: 'settings.agent.instructions',
  time_zone: 'settings.agent.timeZone',
  hours: 'settings.areas.hours',
  history_limit: 'settings.agent.historyLimit',
  context_tokens: 'settings.agent.contextTokens',
  summaries: 'settings.agent.summariesSwitch',
  handoff: 'settings.agent.handoffSwitch',
  search_tool: 'settings.agent.searchSwitch',
  rewrite: 'settings.agent.rewrite',
  inactivity: 'settings.agent.inactivity',
  ask_rating: 'settings.agent.ratingSwitch',
  propose_entries: 'settings.agent.proposeSwitch',
  synonyms: 'settings.agent.synonyms',
  answer_threshold: 'settings.versions.answerThreshold',
  prices: 'settings.versions.prices',
  budget: 'settings.versions.budget',
  greeting: 'settings.messages.greeting',
  pause_message: 'settings.messages.pause_message',
  resume_message: 'settings.messages.resume_message',
  unsupported_message: 'settings.messages.unsupported_message',
  away_message: 'settings.messages.away_message',
  follow_up_message: 'settings.messages.follow_up_message',
  texts: 'settings.messages.byLanguage',
  retention: 'settings.redaction.retention',
  redaction_types: 'settings.redaction.types',
  redaction_files: 'settings.redaction.files',
  redaction_style: 'settings.redaction.style',
  mask: 'settings.model.mask',
  redaction_patterns: 'settings.versions.patterns',
  redaction_words: 'settings.versions.words',
  redaction_care: 'settings.redaction.care',
  hosted_redaction: 'settings.redaction.hostedOn',
  kind: 'settings.model.kind',
  url: 'settings.model.url',
  api_key: 'settings.model.apiKey',
  fallbacks: 'settings.model.fallbacks',
  parameters: 'settings.model.parameters',
  images: 'settings.model.images',
  timeout_ms: 'settings.versions.timeout',
  language: 'settings.redaction.language',
  threshold: 'settings.redaction.threshold',
  entities: 'settings.versions.entities',
} as const

/** Returns the name of a setting as on its page: `model.url` is "Model server: Address". */
export function useSettingName(): (setting: string) => string {
  const { t } = useTranslation()
  const ofField = (name: string) =>
    Object.hasOwn(fields, name) ? t(fields[name as keyof typeof fields]) : name
  return (setting) => {
    const [server, field] = setting.split('.')
    if (field === undefined || !Object.hasOwn(servers, server ?? '')) return ofField(setting)
    const text = server === 'model' && field === 'name' ? t('settings.model.name') : ofField(field)
    return `${t(servers[server as keyof typeof servers])}: ${text}`
  }
}
