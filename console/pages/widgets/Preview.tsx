import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { createElement } from 'react'
import { useTranslation } from 'react-i18next'
import { Refusal } from '../../api/client.ts'
import { useAgent } from '../../api/session.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { Section } from '../../ui/Section.tsx'
import { saidIn, type WidgetValues } from './widget-values.ts'

interface PreviewProps {
  widgetKey: string
  /** The form's values, saved or not. */
  values: WidgetValues
  language: string
}

/** The widget itself, as a visitor would see it with the form's values. */
export function Preview({ widgetKey, values: { look, texts }, language }: PreviewProps) {
  const { t } = useTranslation()
  const { name } = useAgent()
  const script = useQuery({
    queryKey: ['widget-script'],
    queryFn: loadScript,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const said = texts[language]
  const preview = {
    look: { ...look, title: look.title.trim() || name, avatar_url: look.avatar_url || null },
    ...(said ? { texts: saidIn(said) } : {}),
  }
  return (
    <Section title={t('widgets.preview')} lead={t('widgets.previewLead')}>
      <Loaded query={script}>
        {() => (
          <div className="widget-preview-frame">
            {createElement('parley-chat', { 'data-key': widgetKey, inline: '', lang: language, preview })}
          </div>
        )}
      </Loaded>
      <Text size="secondary" c="dimmed">
        {t('widgets.previewHint')}
      </Text>
    </Section>
  )
}

/** Loads the script that web sites load. It defines the element `parley-chat`. */
async function loadScript(): Promise<true> {
  if (customElements.get('parley-chat')) return true
  await new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = '/widget.js'
    script.onload = resolve
    script.onerror = () => reject(new Refusal('unavailable', 'The widget cannot be loaded.'))
    document.head.append(script)
  })
  await customElements.whenDefined('parley-chat')
  return true
}
