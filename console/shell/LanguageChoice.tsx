import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { changeLanguage, languages } from '../texts/index.ts'

/** Returns the name of a language in that language. */
export function languageName(language: string): string {
  return new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language
}

export function LanguageChoice() {
  const { t, i18n } = useTranslation()
  return (
    <NativeSelect
      aria-label={t('shell.language')}
      value={i18n.language}
      onChange={(event) => void changeLanguage(event.currentTarget.value, true)}
      data={languages.map((value) => ({ value, label: languageName(value) }))}
    />
  )
}
