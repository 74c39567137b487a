import { useTranslation } from 'react-i18next'
import { languageName } from '../../ui/language-name.ts'
import type { By } from './figures.ts'

/** Returns a function that names a value of a breakdown for people. @param name the service's name, if it has one */
export function useValueName(): (by: By, value: string, name: string | null) => string {
  const { t, i18n } = useTranslation()
  return (by, value, name) => {
    switch (by) {
      case 'day':
        return new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeZone: 'UTC' }).format(
          new Date(value),
        )
      case 'hour':
        return t('support.hour', { hour: value.padStart(2, '0') })
      default:
        if (value === '') return t(`support.none.${by}`)
        if (by === 'tag') return value
        if (by === 'language') return languageName(value, i18n.language)
        return name ?? t(`support.former.${by}`, { id: value })
    }
  }
}
