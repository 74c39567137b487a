import { Stack, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { AgentVersion } from '../../../api/types.ts'
import { isSame, settingOf } from './differing-settings.ts'
import { type Line, lineDifference } from './line-difference.ts'
import { useSettingName } from './setting-names.ts'
import './Difference.css'

interface DifferenceProps {
  /** The names of the settings that changed. */
  names: readonly string[]
  before: AgentVersion['settings']
  after: AgentVersion['settings']
}

/** The changes between two versions, setting by setting. */
export function Difference({ names, before, after }: DifferenceProps) {
  const nameOf = useSettingName()
  return (
    <Stack gap="sm">
      {names.map((name) => (
        <Stack gap={4} key={name}>
          <Text fw={600} size="secondary" className="foreign">
            {nameOf(name)}
          </Text>
          <Change name={name} before={settingOf(before, name)} after={settingOf(after, name)} />
        </Stack>
      ))}
    </Stack>
  )
}

function Change({ name, before, after }: { name: string; before: unknown; after: unknown }) {
  const { t } = useTranslation()
  // Versions hold no secrets, so there is nothing to compare of a key, not even of a fallback's.
  if (name.endsWith('.api_key') || isSame(before, after))
    return (
      <Text c="dimmed" size="secondary">
        {t('settings.versions.secret')}
      </Text>
    )
  const textOf = (value: unknown) => {
    if (value === null || value === undefined || value === '') return t('settings.versions.none')
    if (typeof value === 'boolean') return t(value ? 'settings.versions.on' : 'settings.versions.off')
    return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  }
  return <Lines lines={lineDifference(textOf(before), textOf(after))} />
}

const tags = { same: 'span', 'left-out': 'span', removed: 'del', added: 'ins' } as const

function Lines({ lines }: { lines: readonly Line[] }) {
  const numbered = lines.map((line, number) => ({ ...line, number }))
  return (
    <div className="difference foreign">
      {numbered.map(({ number, kind, text }) => {
        const Tag = tags[kind]
        return (
          <Tag key={number} className="difference-line" data-kind={kind}>
            {text}
          </Tag>
        )
      })}
    </div>
  )
}
