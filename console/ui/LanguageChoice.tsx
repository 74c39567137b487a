import { NativeSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { changeLanguage, languages } from '../texts/index.ts'
import { languageName } from './language-name.ts'
import { useAction } from './use-action.ts'

/** Returns an action that switches to a language and keeps the choice in this browser. */
export function useLanguageChoice() {
  return useAction({ run: (language: string) => changeLanguage(language, true) }).mutate
}

export function LanguageChoice() {
  const { t, i18n } = useTranslation()
  const choose = useLanguageChoice()
  return (
    <NativeSelect
      aria-label={t('shell.language')}
      value={i18n.language}
      onChange={(event) => choose(event.currentTarget.value)}
      data={languages.map((value) => ({ value, label: languageName(value) }))}
    />
  )
}
