import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAgent, useRight } from '../../api/session.ts'
import type { Automation, Cta, Evaluator, Guardrail } from '../../api/types.ts'
import { useList } from '../../api/use-list.ts'
import { Delete } from '../../ui/Delete.tsx'
import { ArrowLeftIcon } from '../../ui/icons.tsx'
import { Loaded } from '../../ui/Loaded.tsx'
import { MissingPage } from '../../ui/MissingPage.tsx'
import { Page } from '../../ui/Page.tsx'
import { AutomationTrial } from './AutomationTrial.tsx'
import { AutomationForm } from './forms/AutomationForm.tsx'
import { CtaForm } from './forms/CtaForm.tsx'
import { EvaluatorForm } from './forms/EvaluatorForm.tsx'
import { EvaluatorTrial } from './forms/EvaluatorTrial.tsx'
import { GuardrailForm } from './forms/GuardrailForm.tsx'
import { isRuleKind, type RuleKind } from './kinds.ts'
import { RuleLog } from './RuleLog.tsx'
import { RuleTrial } from './RuleTrial.tsx'

/** The page of one rule, or of a new one. */
export function RulePage() {
  const { kind = '', ruleId = '' } = useParams({ strict: false })
  return isRuleKind(kind) ? <RuleOf key={`${kind} ${ruleId}`} kind={kind} ruleId={ruleId} /> : <MissingPage />
}

function RuleOf({ kind, ruleId }: { kind: RuleKind; ruleId: string }) {
  const { t } = useTranslation()
  const { id, api, key } = useAgent()
  const isNew = ruleId === 'new'
  const mayRespond = useRight('respond')
  const rule = useQuery({
    queryKey: key('rules', kind, 'one', ruleId),
    queryFn: async () => (isNew ? null : (await api.get(`/${kind}/${Number(ruleId)}`)).data),
  })
  const evaluators = useList(key('rules', 'evaluators'), api, '/evaluators', { per_page: 100 })
  return (
    <Loaded query={rule}>
      {(read) => (
        <Page
          title={isNew ? t(`rules.add.${kind}`) : (read as Guardrail).name}
          lead={t(`rules.leads.${kind}`)}
          narrow
          actions={
            <>
              <Button
                variant="default"
                leftSection={<ArrowLeftIcon />}
                renderRoot={(props) => (
                  <Link
                    to="/agents/$agentId/rules"
                    params={{ agentId: String(id) }}
                    search={{ kind }}
                    {...props}
                  />
                )}
              >
                {t(`rules.kinds.${kind}`)}
              </Button>
              {isNew ? null : <Remove kind={kind} rule={read as Guardrail} />}
            </>
          }
        >
          <Loaded query={evaluators}>
            {({ items }) => {
              if (kind === 'guardrails')
                return <GuardrailForm rule={read as Guardrail | null} evaluators={items} />
              if (kind === 'ctas') return <CtaForm rule={read as Cta | null} evaluators={items} />
              if (kind === 'automations')
                return <AutomationForm rule={read as Automation | null} evaluators={items} />
              return <EvaluatorForm rule={read as Evaluator | null} />
            }}
          </Loaded>
          {isNew ? null : kind === 'evaluators' ? (
            <EvaluatorTrial evaluator={read as Evaluator} />
          ) : (
            <>
              {isAtDesk(kind, read as Automation) ? (
                mayRespond && <AutomationTrial ruleId={(read as Automation).id} />
              ) : (
                <RuleTrial kind={kind} ruleId={(read as Guardrail).id} />
              )}
              <RuleLog kind={kind} ruleId={(read as Guardrail).id} />
            </>
          )}
        </Page>
      )}
    </Loaded>
  )
}

/** Tells whether an automation runs on what happens to a conversation, and not on answers. */
function isAtDesk(kind: RuleKind, { on }: Automation): boolean {
  return kind === 'automations' && on !== 'response'
}

function Remove({
  kind,
  rule: { id: ruleId, name },
}: {
  kind: RuleKind
  rule: { id: number; name: string }
}) {
  const { t } = useTranslation()
  const { id, key } = useAgent()
  const navigate = useNavigate()
  return (
    <Delete
      path={`/${kind}/${ruleId}`}
      title={t('rules.removeTitle', { name })}
      text={t('rules.removeText')}
      refresh={[key('rules')]}
      done={t('rules.removed', { name })}
      onDone={() =>
        void navigate({ to: '/agents/$agentId/rules', params: { agentId: String(id) }, search: { kind } })
      }
    />
  )
}
