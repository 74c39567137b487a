import { Button, Group, NumberInput, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { newId } from '../../../../browser/new-id.ts'
import { AddButton } from '../../../ui/AddButton.tsx'
import type { ModelValues } from './model-values.ts'

/** The prices of models, and the budget of all calls. */
export function CostFields({ form }: { form: UseFormReturnType<ModelValues> }) {
  const { t } = useTranslation()
  return (
    <Stack gap="md">
      {form.values.prices.map(({ key }, at) => (
        <Group
          key={key}
          gap="xs"
          align="flex-start"
          wrap="wrap"
          role="group"
          aria-label={t('settings.model.price', { number: at + 1 })}
        >
          <TextInput
            label={t('settings.model.name')}
            flex="2 1 160px"
            {...form.getInputProps(`prices.${at}.model`)}
          />
          <NumberInput
            label={t('settings.model.input')}
            min={0}
            flex="1 1 100px"
            {...form.getInputProps(`prices.${at}.input`)}
          />
          <NumberInput
            label={t('settings.model.output')}
            min={0}
            flex="1 1 100px"
            {...form.getInputProps(`prices.${at}.output`)}
          />
          {/* Beside the fields, whose labels stand above them and errors below. */}
          <Button mt={25} variant="subtle" onClick={() => form.removeListItem('prices', at)}>
            {t('common.remove')}
          </Button>
        </Group>
      ))}
      <AddButton
        onClick={() => form.insertListItem('prices', { key: newId(), model: '', input: '', output: '' })}
      >
        {t('settings.model.addPrice')}
      </AddButton>
      <Group gap="xs" wrap="wrap" align="flex-start">
        <NumberInput
          label={t('settings.model.budgetDay')}
          description={t('settings.model.budgetHint')}
          min={0}
          flex="1 1 200px"
          {...form.getInputProps('budget.day')}
        />
        <NumberInput
          label={t('settings.model.budgetMonth')}
          description={t('settings.model.budgetHint')}
          min={0}
          flex="1 1 200px"
          {...form.getInputProps('budget.month')}
        />
      </Group>
    </Stack>
  )
}
