import {
  Autocomplete,
  Button,
  Group,
  NativeSelect,
  Stack,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PlusIcon, TrashIcon } from '../../ui/icons.tsx'
import { noTexts, type WidgetValues } from './widget-values.ts'

const common = ['ar', 'de', 'en', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt-BR', 'tr', 'zh-Hans']

interface TextFieldsProps {
  form: UseFormReturnType<WidgetValues>
  /** Which language's texts are shown. */
  language: string
  onLanguage: (language: string) => void
}

/** What the widget says, language by language. */
export function TextFields({ form, language, onLanguage }: TextFieldsProps) {
  const { t } = useTranslation()
  const languages = Object.keys(form.values.texts)
  const place = `texts.${language}`
  function remove() {
    const { [language]: _, ...rest } = form.values.texts
    form.setFieldValue('texts', rest)
    onLanguage(Object.keys(rest)[0] ?? language)
  }
  return (
    <>
      {languages.length > 0 ? (
        <Group gap="xs" align="flex-end">
          <NativeSelect
            label={t('widgets.language')}
            value={language}
            onChange={(event) => onLanguage(event.currentTarget.value)}
            data={languages.map((value) => ({ value, label: `${value} · ${nameOf(value)}` }))}
          />
          <Button variant="default" leftSection={<TrashIcon />} onClick={remove}>
            {t('common.remove')}
          </Button>
        </Group>
      ) : (
        <Text c="dimmed">{t('widgets.noLanguage')}</Text>
      )}
      {language in form.values.texts ? (
        <Stack gap="sm">
          <Textarea
            label={t('widgets.greeting')}
            autosize
            minRows={2}
            {...form.getInputProps(`${place}.greeting`)}
          />
          <TagsInput
            label={t('widgets.suggestions')}
            description={t('widgets.suggestionsHint')}
            maxTags={6}
            acceptValueOnBlur
            {...form.getInputProps(`${place}.suggestions`)}
          />
          <TextInput label={t('widgets.placeholder')} {...form.getInputProps(`${place}.placeholder`)} />
          <TextInput
            label={t('widgets.notice')}
            description={t('widgets.noticeHint')}
            {...form.getInputProps(`${place}.notice`)}
          />
          <TextInput label={t('widgets.footer')} {...form.getInputProps(`${place}.footer`)} />
          <TextInput
            label={t('widgets.footerUrl')}
            placeholder="https://example.com/privacy"
            {...form.getInputProps(`${place}.footer_url`)}
          />
        </Stack>
      ) : null}
      <NewLanguage
        taken={languages}
        onAdd={(added) => {
          form.setFieldValue('texts', { ...form.values.texts, [added]: noTexts })
          onLanguage(added)
        }}
      />
    </>
  )
}

function NewLanguage({ taken, onAdd }: { taken: readonly string[]; onAdd: (language: string) => void }) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState('')
  const tag = canonicalTag(typed)
  return (
    <Group gap="xs" align="flex-end">
      <Autocomplete
        label={t('widgets.newLanguage')}
        placeholder="de"
        data={common.filter((language) => !taken.includes(language))}
        value={typed}
        onChange={setTyped}
      />
      <Button
        variant="default"
        leftSection={<PlusIcon />}
        disabled={tag === null || taken.includes(tag)}
        onClick={() => {
          if (tag) onAdd(tag)
          setTyped('')
        }}
      >
        {t('widgets.addLanguage')}
      </Button>
    </Group>
  )
}

function canonicalTag(text: string): string | null {
  try {
    return Intl.getCanonicalLocales(text.trim())[0] ?? null
  } catch {
    return null
  }
}

/** A language in its own words. */
function nameOf(language: string): string {
  return new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language
}
