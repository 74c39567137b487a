import { Stack, Switch, TagsInput, Text, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { ByLanguage } from '../../ui/ByLanguage.tsx'
import { noTexts, type WidgetValues } from './widget-values.ts'

interface TextFieldsProps {
  form: UseFormReturnType<WidgetValues>
  /** The language whose texts are shown. */
  language: string
  onLanguage: (language: string) => void
}

/** The texts of the widget, language by language. */
export function TextFields({ form, language, onLanguage }: TextFieldsProps) {
  const { t } = useTranslation()
  const { texts } = form.values
  const place = `texts.${language}`
  return (
    <ByLanguage
      languages={Object.keys(texts)}
      language={language}
      onLanguage={onLanguage}
      onAdd={(added) => form.setFieldValue('texts', { ...texts, [added]: noTexts })}
      onRemove={(gone) => {
        const { [gone]: _, ...rest } = texts
        form.setFieldValue('texts', rest)
      }}
      empty={<Text c="dimmed">{t('widgets.noLanguage')}</Text>}
    >
      <Stack gap="sm">
        <Switch
          label={t('widgets.noGreeting')}
          {...form.getInputProps(`${place}.without_greeting`, { type: 'checkbox' })}
        />
        {texts[language]?.without_greeting ? null : (
          <Textarea
            label={t('widgets.greeting')}
            autosize
            minRows={2}
            {...form.getInputProps(`${place}.greeting`)}
          />
        )}
        <TagsInput
          label={t('widgets.suggestions')}
          description={t('widgets.suggestionsHint')}
          maxTags={6}
          acceptValueOnBlur
          splitChars={[]}
          {...form.getInputProps(`${place}.suggestions`)}
        />
        <TextInput label={t('widgets.placeholder')} {...form.getInputProps(`${place}.placeholder`)} />
        <Switch
          label={t('widgets.noNotice')}
          {...form.getInputProps(`${place}.without_notice`, { type: 'checkbox' })}
        />
        {texts[language]?.without_notice ? null : (
          <TextInput
            label={t('widgets.notice')}
            description={t('widgets.noticeHint')}
            {...form.getInputProps(`${place}.notice`)}
          />
        )}
        <TextInput label={t('widgets.footer')} {...form.getInputProps(`${place}.footer`)} />
        <TextInput
          label={t('widgets.footerUrl')}
          placeholder="https://example.com/privacy"
          {...form.getInputProps(`${place}.footer_url`)}
        />
      </Stack>
    </ByLanguage>
  )
}
