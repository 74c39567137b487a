import { ColorSwatch, Group, luminance, NativeSelect, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../api/session.ts'
import type { WidgetValues } from './widget-values.ts'

/** The look of the widget. Text on its colour is white or black, whichever can be read. */
export function LookFields({ form }: { form: UseFormReturnType<WidgetValues> }) {
  const { t } = useTranslation()
  const { name } = useAgent()
  return (
    <>
      <Group gap="sm" align="flex-start">
        <TextInput label={t('widgets.color')} placeholder="#4f46e5" {...form.getInputProps('look.color')} />
        <TextInput
          type="color"
          label={t('widgets.pick')}
          w={72}
          value={form.values.look.color}
          onChange={(event) => form.setFieldValue('look.color', event.currentTarget.value)}
        />
      </Group>
      <Contrast color={form.values.look.color} />
      <TextInput
        label={t('widgets.title')}
        description={t('widgets.titleHint', { agent: name })}
        {...form.getInputProps('look.title')}
      />
      <TextInput
        label={t('widgets.launcher')}
        description={t('widgets.launcherHint')}
        {...form.getInputProps('look.launcher')}
      />
      <TextInput
        label={t('widgets.avatar')}
        placeholder="https://shop.example.com/avatar.png"
        {...form.getInputProps('look.avatar_url')}
      />
      <Group gap="sm">
        <NativeSelect
          label={t('widgets.position')}
          data={(['right', 'left'] as const).map((value) => ({
            value,
            label: t(`widgets.positions.${value}`),
          }))}
          {...form.getInputProps('look.position')}
        />
        <NativeSelect
          label={t('widgets.scheme')}
          data={(['auto', 'light', 'dark'] as const).map((value) => ({
            value,
            label: t(`widgets.schemes.${value}`),
          }))}
          {...form.getInputProps('look.scheme')}
        />
      </Group>
    </>
  )
}

/** Shows the text colour for a background, and how well it can be read there. */
function Contrast({ color }: { color: string }) {
  const { t, i18n } = useTranslation()
  if (!/^#[\da-f]{6}$/i.test(color)) return null
  const light = 1.05 / (luminance(color) + 0.05)
  const dark = (luminance(color) + 0.05) / 0.05
  const isWhite = light >= 4.5
  const ratio = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 1 }).format(
    isWhite ? light : dark,
  )
  return (
    <Group gap="xs" role="status">
      <ColorSwatch color={color} size={16} withShadow={false} />
      <Text size="secondary" c="dimmed">
        {t(isWhite ? 'widgets.whiteOn' : 'widgets.blackOn', { ratio })}
      </Text>
    </Group>
  )
}
