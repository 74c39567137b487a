import { Autocomplete, Button, Group, NativeSelect } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PlusIcon, TrashIcon } from './icons.tsx'
import { languageName } from './language-name.ts'

const common = ['ar', 'de', 'en', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt-BR', 'tr', 'zh-Hans']

interface ByLanguageProps {
  /** The tags of the languages that have texts. */
  languages: readonly string[]
  /** The language whose texts are shown. */
  language: string
  onLanguage: (language: string) => void
  onAdd: (language: string) => void
  onRemove: (language: string) => void
  /** Shown while there is no language. */
  empty: ReactNode
  /** The fields of the language that is shown. */
  children: ReactNode
}

/** Texts in several languages, one language at a time. */
export function ByLanguage(props: ByLanguageProps) {
  const { languages, language, onLanguage, onAdd, onRemove, empty, children } = props
  const { t } = useTranslation()
  return (
    <>
      {languages.length > 0 ? (
        <Group gap="xs" align="flex-end">
          <NativeSelect
            label={t('languages.language')}
            value={language}
            onChange={(event) => onLanguage(event.currentTarget.value)}
            data={languages.map((value) => ({ value, label: `${value} · ${languageName(value)}` }))}
          />
          <Button
            variant="default"
            leftSection={<TrashIcon />}
            onClick={() => {
              onRemove(language)
              onLanguage(languages.find((other) => other !== language) ?? language)
            }}
          >
            {t('common.remove')}
          </Button>
        </Group>
      ) : (
        empty
      )}
      {languages.includes(language) ? children : null}
      <NewLanguage
        taken={languages}
        onAdd={(added) => {
          onAdd(added)
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
        label={t('languages.newLanguage')}
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
        {t('languages.addLanguage')}
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
