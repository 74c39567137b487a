import { Button, Group, NativeSelect, Stack, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import type { Condition } from '../../../../src/conditions/condition.ts'
import { useAgent, useRight } from '../../../api/session.ts'
import type { Automation, Evaluator } from '../../../api/types.ts'
import { PlusIcon, TrashIcon } from '../../../ui/icons.tsx'
import { Section } from '../../../ui/Section.tsx'
import { SettingsForm } from '../../../ui/SettingsForm.tsx'
import { useSeededForm } from '../../../ui/use-seeded-form.ts'
import { isPriority, priorityChoices } from '../../inbox/priority/priorities.ts'
import { ConditionEditor } from '../conditions/ConditionEditor.tsx'
import { CommonFields, type CommonValues } from './CommonFields.tsx'
import { useSaveRule } from './use-save-rule.ts'

type ActionType = Automation['actions'][number]['type']

/** The types in the order in which they are offered, with the API's name for their argument; null if they take none. */
const ARGUMENTS = {
  tag: 'tag',
  request_person: null,
  priority: 'priority',
  pause_conversation: null,
  end_conversation: null,
  send_message: 'text',
  add_note: 'text',
  call_webhook: 'url',
} satisfies Record<ActionType, 'tag' | 'text' | 'url' | 'priority' | null>

interface ActionValues {
  type: ActionType
  /** The tag, text, address or priority, depending on the type. */
  argument: string
  /** A new secret of a webhook; an empty text keeps the stored one. */
  secret: string
  on_failure: 'continue' | 'stop'
}

interface Values extends CommonValues {
  condition: Condition | null
  actions: ActionValues[]
}

function valuesOf(rule: Automation | null): Values {
  return {
    name: rule?.name ?? '',
    active: rule?.active ?? true,
    position: rule?.position ?? 100,
    condition: rule?.condition ?? null,
    actions: (rule?.actions ?? []).map((action) => {
      const { type } = action
      const name = ARGUMENTS[type]
      return {
        type,
        argument: name ? String(action[name] ?? '') : '',
        secret: '',
        on_failure: action.on_failure,
      }
    }),
  }
}

function bodyOf({ actions, ...values }: Values) {
  return {
    ...values,
    actions: actions.map(({ type, argument, secret, on_failure }) => {
      const name = ARGUMENTS[type]
      return {
        type,
        on_failure,
        ...(name ? { [name]: name === 'priority' ? priorityIn(argument) : argument } : {}),
        ...(type === 'call_webhook' && secret ? { secret } : {}),
      }
    }),
  }
}

/** Returns the priority that an argument names, or the one that the form shows at first. */
function priorityIn(argument: string) {
  return isPriority(argument) ? argument : 'high'
}

/** The form of an automation, which runs actions in order after an answer when its condition holds. */
export function AutomationForm({ rule, evaluators }: { rule: Automation | null; evaluators: Evaluator[] }) {
  const { t } = useTranslation()
  const { key } = useAgent()
  const send = useSaveRule<Automation>('automations', rule?.id ?? null)
  const { form, save } = useSeededForm(rule, { valuesOf, bodyOf, send })
  return (
    <SettingsForm form={form} isReadOnly={!useRight('manage')} refresh={[key('rules')]} save={save}>
      <Section title={t('rules.what')}>
        <CommonFields form={form} />
      </Section>
      <Section title={t('rules.when')}>
        <ConditionEditor evaluators={evaluators} {...form.getInputProps('condition')} />
      </Section>
      <Section title={t('rules.then')} lead={t('rules.thenLead')}>
        <Stack data-path="actions" tabIndex={-1}>
          {form.values.actions.map((_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: actions have no identity but their place
            <ActionFields key={index} form={form} index={index} />
          ))}
        </Stack>
        <Group>
          <Button
            variant="default"
            leftSection={<PlusIcon />}
            onClick={() =>
              form.insertListItem('actions', {
                type: 'tag',
                argument: '',
                secret: '',
                on_failure: 'continue',
              })
            }
          >
            {t('rules.addAction')}
          </Button>
        </Group>
      </Section>
    </SettingsForm>
  )
}

function ActionFields({ form, index }: { form: UseFormReturnType<Values>; index: number }) {
  const { t } = useTranslation()
  const action = form.values.actions[index]
  if (!action) return null
  const name = ARGUMENTS[action.type]
  const place = `actions.${index}`
  return (
    <Stack gap="xs">
      <Group align="flex-end" gap="xs">
        <NativeSelect
          label={t('rules.actionNumber', { number: index + 1 })}
          flex="1 1 200px"
          data={(Object.keys(ARGUMENTS) as ActionType[]).map((value) => ({
            value,
            label: t(`rules.actionTypes.${value}`),
          }))}
          {...form.getInputProps(`${place}.type`)}
        />
        <NativeSelect
          label={t('rules.ifItFails')}
          data={(['continue', 'stop'] as const).map((value) => ({ value, label: t(`rules.goOn.${value}`) }))}
          {...form.getInputProps(`${place}.on_failure`)}
        />
        <Button
          variant="default"
          leftSection={<TrashIcon />}
          onClick={() => form.removeListItem('actions', index)}
        >
          {t('common.remove')}
        </Button>
      </Group>
      {name === 'text' ? (
        <Textarea label={t('rules.text')} autosize minRows={2} {...form.getInputProps(`${place}.argument`)} />
      ) : null}
      {name === 'tag' ? (
        <TextInput label={t('rules.tag')} {...form.getInputProps(`${place}.argument`)} />
      ) : null}
      {name === 'priority' ? (
        <NativeSelect
          label={t('inbox.priority')}
          data={priorityChoices(t)}
          {...form.getInputProps(`${place}.argument`)}
          value={priorityIn(action.argument)}
        />
      ) : null}
      {name === 'url' ? (
        <>
          <TextInput label={t('rules.url')} {...form.getInputProps(`${place}.argument`)} />
          <TextInput
            label={t('rules.secret')}
            description={t('rules.secretHint')}
            autoComplete="off"
            {...form.getInputProps(`${place}.secret`)}
          />
        </>
      ) : null}
    </Stack>
  )
}
