import { Button, Group, NativeSelect, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useColleagues } from '../../../api/colleagues.ts'
import { useGroups } from '../../../api/groups.ts'
import { AddButton } from '../../../ui/AddButton.tsx'
import { TrashIcon } from '../../../ui/icons.tsx'
import { Marked } from '../../../ui/Marked.tsx'
import { namedIds } from '../../../ui/named-ids.ts'
import { priorityChoices } from '../../../ui/priorities.ts'
import { type ActionType, type ActionValues, ARGUMENTS, newAction, priorityIn } from './action-values.ts'

interface ActionListProps<Values extends { actions: ActionValues[] }> {
  form: UseFormReturnType<Values>
  /** The types that can be chosen. */
  types: readonly ActionType[]
}

/** The actions of an automation or a macro, in their order. */
export function ActionList<Values extends { actions: ActionValues[] }>(props: ActionListProps<Values>) {
  const { t } = useTranslation()
  const { types } = props
  // The fields of a form are known by their paths; of this one only the actions matter.
  const form = props.form as unknown as UseFormReturnType<{ actions: ActionValues[] }>
  return (
    <>
      <Marked path="actions" error={form.errors.actions}>
        {form.values.actions.map((_, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: actions have no identity but their place
          <ActionFields key={index} form={form} index={index} types={types} />
        ))}
      </Marked>
      <AddButton onClick={() => form.insertListItem('actions', newAction)}>{t('rules.addAction')}</AddButton>
    </>
  )
}

interface ActionFieldsProps {
  form: UseFormReturnType<{ actions: ActionValues[] }>
  index: number
  types: readonly ActionType[]
}

function ActionFields({ form, index, types }: ActionFieldsProps) {
  const { t } = useTranslation()
  const action = form.values.actions[index]
  if (!action) return null
  const name = ARGUMENTS[action.type]
  const place = `actions.${index}`
  const argument = form.getInputProps(`${place}.argument`)
  return (
    // The API has other names for the fields of an action, so a refusal marks the action.
    <Marked gap="xs" path={place} error={form.errors[place]}>
      <Group align="flex-end" gap="xs">
        <NativeSelect
          label={t('rules.actionNumber', { number: index + 1 })}
          flex="1 1 200px"
          data={types.map((value) => ({ value, label: t(`rules.actionTypes.${value}`) }))}
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
        <Textarea
          label={t('rules.text')}
          description={action.type === 'reply' ? t('rules.replyHint') : null}
          autosize
          minRows={2}
          {...argument}
        />
      ) : null}
      {name === 'tag' ? <TextInput label={t('rules.tag')} {...argument} /> : null}
      {name === 'minutes' ? (
        <TextInput type="number" min={1} label={t('rules.minutes')} {...argument} />
      ) : null}
      {name === 'priority' ? (
        <NativeSelect
          label={t('inbox.priority')}
          data={priorityChoices(t)}
          {...argument}
          value={priorityIn(action.argument)}
        />
      ) : null}
      {action.type === 'assign' ? <AssignFields form={form} place={place} action={action} /> : null}
      {name === 'url' ? (
        <>
          <TextInput label={t('rules.url')} {...argument} />
          <TextInput
            label={t('rules.secret')}
            description={t('rules.secretHint')}
            autoComplete="off"
            {...form.getInputProps(`${place}.secret`)}
          />
        </>
      ) : null}
    </Marked>
  )
}

interface AssignFieldsProps {
  form: ActionFieldsProps['form']
  place: string
  action: ActionValues
}

function AssignFields({ form, place, action }: AssignFieldsProps) {
  const { t } = useTranslation()
  const colleagues = useColleagues()
  const groups = useGroups().data ?? []
  const choices = (nobody: string, all: readonly { id: number; name: string }[], chosen: string) => [
    { value: '', label: t('rules.asItIs') },
    { value: '0', label: nobody },
    ...namedIds(all, Number(chosen) ? [chosen] : []),
  ]
  return (
    <Group gap="xs" grow>
      <NativeSelect
        label={t('inbox.assignee')}
        data={choices(t('inbox.views.unassigned'), colleagues, action.operator)}
        {...form.getInputProps(`${place}.operator`)}
      />
      <NativeSelect
        label={t('inbox.group')}
        data={choices(t('inbox.noGroup'), groups, action.group)}
        {...form.getInputProps(`${place}.group`)}
      />
    </Group>
  )
}
