import { Button, Group, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useAgent } from '../../../api/session.ts'
import { DownloadIcon } from '../../../ui/icons.tsx'
import { startOfDay, startOfNextDay } from '../../../ui/local-day.ts'
import { Page } from '../../../ui/Page.tsx'
import { Section } from '../../../ui/Section.tsx'

const formats = ['jsonl', 'csv'] as const

/** Exports all conversations of a period as a file. The browser saves it as it streams, however long it is. */
export function ExportSettings() {
  const { t } = useTranslation()
  const { api } = useAgent()
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [format, setFormat] = useState<(typeof formats)[number]>('jsonl')
  const query = new URLSearchParams({
    format,
    ...(from ? { from: startOfDay(from) } : {}),
    ...(to ? { to: startOfNextDay(to) } : {}),
  })
  return (
    <Page title={t('settings.areas.export')} lead={t('settings.export.lead')} narrow>
      <Section title={t('settings.export.title')} lead={t('settings.export.titleLead')}>
        <Group gap="sm" align="flex-end">
          <TextInput
            type="date"
            label={t('audit.from')}
            value={from}
            {...(to ? { max: to } : {})}
            onChange={(event) => setFrom(event.currentTarget.value)}
          />
          <TextInput
            type="date"
            label={t('audit.to')}
            value={to}
            {...(from ? { min: from } : {})}
            onChange={(event) => setTo(event.currentTarget.value)}
          />
          <NativeSelect
            label={t('knowledge.format')}
            value={format}
            onChange={(event) => setFormat(event.currentTarget.value as typeof format)}
            data={formats.map((value) => ({ value, label: t(`settings.export.formats.${value}`) }))}
          />
          <Button
            leftSection={<DownloadIcon />}
            component="a"
            href={api.address(`/export?${query}`)}
            download
          >
            {t('settings.export.action')}
          </Button>
        </Group>
      </Section>
    </Page>
  )
}
