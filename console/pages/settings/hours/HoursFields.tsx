import { Autocomplete, Button, Checkbox, Group, Stack, Switch, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import type { Agent } from '../../../api/types.ts'
import { AddButton } from '../../../ui/AddButton.tsx'
import { TrashIcon } from '../../../ui/icons.tsx'
import { Marked } from '../../../ui/Marked.tsx'
import { Section } from '../../../ui/Section.tsx'
import { weekdayNames } from './hours-text.ts'

export interface HoursValues extends Record<string, unknown> {
  hours: Agent['hours']
}

/** The part of a form with hours that their fields need. */
type Form = Pick<
  UseFormReturnType<HoursValues>,
  'values' | 'errors' | 'setFieldValue' | 'insertListItem' | 'removeListItem' | 'getInputProps'
>

const DAYS = [1, 2, 3, 4, 5, 6, 7]
const OFFICE = { days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' }

/** The fields of hours: whether there are any, their time zone, the shifts of a week, and holidays. */
export function HoursFields({ form }: { form: Form }) {
  const { t } = useTranslation()
  const { hours } = form.values
  return (
    <>
      <Section title={t('settings.hours.when')}>
        <Switch
          label={t('settings.hours.set')}
          checked={hours !== null}
          onChange={(event) =>
            form.setFieldValue(
              'hours',
              event.currentTarget.checked
                ? {
                    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
                    week: [OFFICE],
                    holidays: [],
                  }
                : null,
            )
          }
        />
        {hours ? (
          <Autocomplete
            label={t('settings.agent.timeZone')}
            data={['UTC', ...Intl.supportedValuesOf('timeZone')]}
            limit={30}
            {...form.getInputProps('hours.time_zone')}
          />
        ) : null}
      </Section>
      {hours ? (
        <>
          <Section title={t('settings.hours.week')} lead={t('settings.hours.weekLead')}>
            <Marked gap="lg" path="hours.week" error={form.errors['hours.week']}>
              {hours.week.map((_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: shifts have no identity but their place
                <ShiftFields key={index} form={form} index={index} />
              ))}
            </Marked>
            <AddButton onClick={() => form.insertListItem('hours.week', OFFICE)}>
              {t('settings.hours.addShift')}
            </AddButton>
          </Section>
          <Section title={t('settings.hours.holidays')} lead={t('settings.hours.holidaysLead')}>
            <Marked gap="xs" path="hours.holidays" error={form.errors['hours.holidays']}>
              {hours.holidays.map((_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: holidays have no identity but their place
                <HolidayFields key={index} form={form} index={index} />
              ))}
            </Marked>
            <AddButton onClick={() => form.insertListItem('hours.holidays', { date: '', name: '' })}>
              {t('settings.hours.addHoliday')}
            </AddButton>
          </Section>
        </>
      ) : null}
    </>
  )
}

/** The days and times of a shift. */
function ShiftFields({ form, index }: { form: Form; index: number }) {
  const { t, i18n } = useTranslation()
  const place = `hours.week.${index}`
  const shift = form.values.hours?.week[index]
  if (!shift) return null
  const nameOf = weekdayNames(i18n.language)
  return (
    <Stack gap="xs" role="group" aria-label={t('settings.hours.shift', { number: index + 1 })}>
      <Checkbox.Group
        label={t('settings.hours.days')}
        value={shift.days.map(String)}
        onChange={(days) => form.setFieldValue(`${place}.days`, days.map(Number).toSorted())}
        error={form.errors[`${place}.days`]}
        data-path={`${place}.days`}
        tabIndex={-1}
      >
        <Group gap="sm" mt={4}>
          {DAYS.map((day) => (
            <Checkbox key={day} value={String(day)} label={nameOf(day)} />
          ))}
        </Group>
      </Checkbox.Group>
      <Group align="flex-end" gap="xs">
        <TextInput type="time" label={t('settings.hours.from')} {...form.getInputProps(`${place}.from`)} />
        <TextInput
          type="time"
          label={t('settings.hours.to')}
          {...form.getInputProps(`${place}.to`)}
          // A field of the type time knows no 24:00.
          value={shift.to === '24:00' ? '00:00' : shift.to}
        />
        <Button
          variant="default"
          leftSection={<TrashIcon />}
          onClick={() => form.removeListItem('hours.week', index)}
        >
          {t('common.remove')}
        </Button>
      </Group>
    </Stack>
  )
}

/** The date and the name of a holiday. */
function HolidayFields({ form, index }: { form: Form; index: number }) {
  const { t } = useTranslation()
  const place = `hours.holidays.${index}`
  return (
    <Group
      align="flex-end"
      gap="xs"
      role="group"
      aria-label={t('settings.hours.holiday', { number: index + 1 })}
    >
      <TextInput type="date" label={t('settings.hours.date')} {...form.getInputProps(`${place}.date`)} />
      <TextInput
        flex={1}
        label={t('settings.hours.name')}
        maxLength={100}
        {...form.getInputProps(`${place}.name`)}
      />
      <Button
        variant="default"
        leftSection={<TrashIcon />}
        onClick={() => form.removeListItem('hours.holidays', index)}
      >
        {t('common.remove')}
      </Button>
    </Group>
  )
}
