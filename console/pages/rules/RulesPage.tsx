import { Button, Group, SegmentedControl, Text } from '@mantine/core'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../api/session.ts'
import { useList } from '../../api/use-list.ts'
import { Empty } from '../../ui/Empty.tsx'
import { PlusIcon, ShieldIcon } from '../../ui/icons.tsx'
import { ListRows } from '../../ui/ListRows.tsx'
import { Mark } from '../../ui/Mark.tsx'
import { Page } from '../../ui/Page.tsx'
import { Row } from '../../ui/Rows.tsx'
import { type RuleKind, ruleKinds } from './kinds.ts'
import { RuleActivity, RuleSentence } from './RuleSentence.tsx'

/** The agent's rules, kind by kind. */
export function RulesPage() {
  const { t } = useTranslation()
  const { id, api, key } = useAgent()
  const navigate = useNavigate()
  const mayManage = useRight('manage')
  const { kind = 'guardrails' } = useSearch({ from: '/signed-in/agents/$agentId/rules' })
  const rules = useList(key('rules', kind), api, `/${kind}`)
  const evaluators = useList(key('rules', 'evaluators'), api, '/evaluators')
  const names = new Map(evaluators.data?.items.map(({ id, name }) => [id, name]))
  const params = { agentId: String(id), kind }
  const add = mayManage ? (
    <Button
      leftSection={<PlusIcon />}
      renderRoot={(props) => (
        <Link to="/agents/$agentId/rules/$kind/$ruleId" params={{ ...params, ruleId: 'new' }} {...props} />
      )}
    >
      {t(`rules.add.${kind}`)}
    </Button>
  ) : null
  return (
    <Page title={t('pages.rules')} lead={t(`rules.leads.${kind}`)} narrow actions={add}>
      <Group>
        <SegmentedControl
          aria-label={t('rules.kind')}
          value={kind}
          onChange={(next) =>
            void navigate({
              to: '/agents/$agentId/rules',
              params: { agentId: String(id) },
              search: { kind: next as RuleKind },
            })
          }
          data={ruleKinds.map((value) => ({ value, label: t(`rules.kinds.${value}`) }))}
        />
      </Group>
      <ListRows
        label={t(`rules.kinds.${kind}`)}
        query={rules}
        empty={
          <Empty
            icon={ShieldIcon}
            title={t(`rules.empty.${kind}`)}
            text={t(`rules.leads.${kind}`)}
            action={add}
          />
        }
      >
        {(rule) => (
          <Row
            key={rule.id}
            title={rule.name}
            link={{
              to: '/agents/$agentId/rules/$kind/$ruleId',
              params: { ...params, ruleId: String(rule.id) },
            }}
            about={
              <>
                <Text inherit lineClamp={2}>
                  <RuleSentence rule={rule} names={names} />
                </Text>
                {'kind' in rule ? null : <RuleActivity rule={rule} />}
              </>
            }
            marks={
              'active' in rule ? (
                <Mark tone={rule.active ? 'green' : 'grey'}>
                  {rule.active ? t('webhooks.isOn') : t('webhooks.isOff')}
                </Mark>
              ) : (
                <Mark tone="grey">{t(`rules.evaluators.${rule.kind}`)}</Mark>
              )
            }
          />
        )}
      </ListRows>
    </Page>
  )
}
