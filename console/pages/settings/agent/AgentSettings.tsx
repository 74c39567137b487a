import {
  Autocomplete,
  Button,
  NativeSelect,
  NumberInput,
  Select,
  Switch,
  Textarea,
  TextInput,
} from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ANSWER_RULES } from '../../../../src/agents/answer-rules.ts'
import { MONTH_MINUTES } from '../../../../src/lib/clock.ts'
import { useAgent, useRight } from '../../../api/session.ts'
import type { Agent } from '../../../api/types.ts'
import { Section } from '../../../ui/Section.tsx'
import { SettingsForm } from '../../../ui/SettingsForm.tsx'
import { useSeededForm } from '../../../ui/use-seeded-form.ts'
import { SettingsArea } from '../SettingsArea.tsx'
import { useSaveSettings } from '../use-save-settings.ts'
import { VariableList } from '../VariableList.tsx'

const REWRITES = ['auto', 'on', 'off'] as const

const policies = ['wait', 'resolve', 'check'] as const

/** The agent's identity, and how much it reads at once. */
export function AgentSettings() {
  const { t } = useTranslation()
  return <SettingsArea title={t('settings.areas.agent')} lead={t('settings.agent.lead')} form={AgentForm} />
}

function valuesOf(agent: Agent) {
  const { name, instructions, answer_rules, time_zone, history_limit, context_tokens, summaries } = agent
  const { cite_in_channels, handoff, search_tool, rewrite, propose_entries, inactivity, ask_rating } = agent
  return {
    name,
    instructions,
    answer_rules,
    time_zone,
    history_limit,
    context_tokens,
    summaries,
    cite_in_channels,
    ask_rating,
    handoff,
    search_tool,
    rewrite,
    propose_entries,
    inactivity: { ...inactivity, follow_up_after: inactivity.follow_up_after ?? '' },
    synonyms: agent.synonyms.map((group) => group.join(', ')).join('\n'),
  }
}

function bodyOf({ synonyms, inactivity, ...values }: ReturnType<typeof valuesOf>) {
  const { follow_up_after } = inactivity
  return {
    ...values,
    inactivity: { ...inactivity, follow_up_after: follow_up_after === '' ? null : Number(follow_up_after) },
    synonyms: groupsOf(synonyms),
  }
}

/** Reads groups from lines, with commas between the members of a group. */
function groupsOf(text: string): string[][] {
  const lines = text.split('\n').map((line) => line.split(',').map((member) => member.trim()))
  return lines.map((line) => line.filter((member) => member !== '')).filter((line) => line.length > 0)
}

function AgentForm({ agent }: { agent: Agent }) {
  const { t } = useTranslation()
  const { key } = useAgent()
  const isReadOnly = !useRight('manage')
  const { form, save } = useSeededForm(agent, { valuesOf, bodyOf, send: useSaveSettings() })
  return (
    <SettingsForm form={form} refresh={[key(), ['who']]} save={save}>
      <Section title={t('settings.agent.who')}>
        <TextInput label={t('settings.agent.name')} {...form.getInputProps('name')} />
        <Textarea
          label={t('settings.agent.instructions')}
          description={t('settings.agent.instructionsHint')}
          autosize
          minRows={4}
          maxRows={20}
          {...form.getInputProps('instructions')}
        />
        <Autocomplete
          label={t('settings.agent.timeZone')}
          description={t('settings.agent.timeZoneHint')}
          data={['UTC', ...Intl.supportedValuesOf('timeZone')]}
          limit={30}
          {...form.getInputProps('time_zone')}
        />
      </Section>
      <Section title={t('settings.agent.rules')} lead={t('settings.agent.rulesLead')}>
        <Textarea
          aria-label={t('settings.agent.rules')}
          autosize
          minRows={4}
          maxRows={20}
          {...form.getInputProps('answer_rules')}
        />
        {form.values.answer_rules === ANSWER_RULES || isReadOnly ? null : (
          <Button
            variant="default"
            style={{ alignSelf: 'flex-start' }}
            onClick={() => form.setFieldValue('answer_rules', ANSWER_RULES)}
          >
            {t('settings.agent.rulesReset')}
          </Button>
        )}
      </Section>
      <VariableList />
      <Section title={t('settings.agent.context')} lead={t('settings.agent.contextLead')}>
        <NumberInput
          label={t('settings.agent.historyLimit')}
          description={t('settings.agent.historyLimitHint')}
          min={0}
          max={1000}
          allowDecimal={false}
          {...form.getInputProps('history_limit')}
        />
        <NumberInput
          label={t('settings.agent.contextTokens')}
          description={t('settings.agent.contextTokensHint')}
          min={500}
          max={10_000_000}
          step={1000}
          thousandSeparator=" "
          allowDecimal={false}
          {...form.getInputProps('context_tokens')}
        />
        <Switch
          label={t('settings.agent.summariesSwitch')}
          description={t('settings.agent.summariesHint')}
          {...form.getInputProps('summaries', { type: 'checkbox' })}
        />
      </Section>
      <Section title={t('settings.agent.search')} lead={t('settings.agent.searchLead')}>
        <Switch
          label={t('settings.agent.searchSwitch')}
          description={t('settings.agent.searchHint')}
          {...form.getInputProps('search_tool', { type: 'checkbox' })}
        />
        <Select
          label={t('settings.agent.rewrite')}
          description={t('settings.agent.rewriteHint')}
          data={REWRITES.map((value) => ({ value, label: t(`settings.agent.rewriteModes.${value}`) }))}
          allowDeselect={false}
          {...form.getInputProps('rewrite')}
        />
      </Section>
      <Section title={t('settings.agent.synonyms')} lead={t('settings.agent.synonymsLead')}>
        <Textarea
          aria-label={t('settings.agent.synonyms')}
          placeholder={t('settings.agent.synonymsExample')}
          autosize
          minRows={3}
          maxRows={20}
          {...form.getInputProps('synonyms')}
        />
      </Section>
      <Section title={t('settings.agent.sources')}>
        <Switch
          label={t('settings.agent.sourcesSwitch')}
          description={t('settings.agent.sourcesHint')}
          {...form.getInputProps('cite_in_channels', { type: 'checkbox' })}
        />
      </Section>
      <Section title={t('settings.agent.handoff')}>
        <Switch
          label={t('settings.agent.handoffSwitch')}
          description={t('settings.agent.handoffHint')}
          {...form.getInputProps('handoff', { type: 'checkbox' })}
        />
      </Section>
      <Section title={t('settings.agent.inactivity')} lead={t('settings.agent.inactivityLead')}>
        <NativeSelect
          label={t('settings.agent.inactivityPolicy')}
          data={policies.map((value) => ({ value, label: t(`settings.agent.inactivityPolicies.${value}`) }))}
          {...form.getInputProps('inactivity.policy')}
        />
        <NumberInput
          label={t('settings.agent.followUpAfter')}
          description={t('settings.agent.followUpAfterHint')}
          min={1}
          max={MONTH_MINUTES}
          {...form.getInputProps('inactivity.follow_up_after')}
        />
        <NumberInput
          label={t('settings.agent.resolveAfter')}
          min={1}
          max={MONTH_MINUTES}
          {...form.getInputProps('inactivity.resolve_after')}
        />
      </Section>
      <Section title={t('settings.agent.rating')}>
        <Switch
          label={t('settings.agent.ratingSwitch')}
          description={t('settings.agent.ratingHint')}
          {...form.getInputProps('ask_rating', { type: 'checkbox' })}
        />
      </Section>
      <Section title={t('settings.agent.learning')}>
        <Switch
          label={t('settings.agent.proposeSwitch')}
          description={t('settings.agent.proposeHint')}
          {...form.getInputProps('propose_entries', { type: 'checkbox' })}
        />
      </Section>
    </SettingsForm>
  )
}
