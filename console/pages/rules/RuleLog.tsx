import { Group, Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import type { RuleLogEntry } from '../../api/types.ts'
import { useList } from '../../api/use-list.ts'
import { ListRows } from '../../ui/ListRows.tsx'
import { Mark } from '../../ui/Mark.tsx'
import { Section } from '../../ui/Section.tsx'
import { Time } from '../../ui/Time.tsx'
import { ConversationLink } from './ConversationLink.tsx'
import { HeldLine } from './conditions/HeldCondition.tsx'
import { EvaluationLine } from './EvaluationLine.tsx'
import { type ActingKind, singular } from './kinds.ts'

/** The times when a rule fired or failed, newest first, and why. */
export function RuleLog({ kind, ruleId }: { kind: ActingKind; ruleId: number }) {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const name: string = singular[kind]
  const log = useList(key('rules', kind, 'log', ruleId), api, `/rules/${name}/${ruleId}/log`)
  return (
    <Section title={t('rules.log')} lead={t('rules.logLead')}>
      <ListRows label={t('rules.log')} query={log} empty={<Text c="dimmed">{t('rules.noLog')}</Text>}>
        {(entry) => <EntryRow key={entry.id} entry={entry} />}
      </ListRows>
    </Section>
  )
}

function EntryRow({ entry }: { entry: RuleLogEntry }) {
  const { t } = useTranslation()
  const { at, outcome, reason, conversation_id, conditions, evaluator, evaluation } = entry
  return (
    <li className="row">
      <Stack gap={4}>
        <Group gap="xs">
          <Mark tone={outcome === 'fired' ? 'green' : 'red'}>{t(`rules.outcomes.${outcome}`)}</Mark>
          {reason ? <Text size="secondary">{t(`rules.reasons.${reason}`)}</Text> : null}
          <Text c="dimmed" size="secondary" component="span">
            <Time at={at} />
          </Text>
          <ConversationLink id={conversation_id} />
        </Group>
        {conditions.map(({ field, op, held }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: comparisons have no identity but their place
          <HeldLine key={index} field={field} op={op} held={held} />
        ))}
        {evaluator ? (
          <EvaluationLine
            evaluation={{ score: null, passed: null, content: null, ...evaluation, evaluator }}
          />
        ) : null}
      </Stack>
    </li>
  )
}
