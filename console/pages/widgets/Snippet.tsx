import { useTranslation } from 'react-i18next'
import type { Widget } from '../../api/types.ts'
import { CopyText } from '../../ui/CopyText.tsx'
import { Section } from '../../ui/Section.tsx'

/** The line that adds the widget to a page. The closed launcher makes no request, so its look is in the line. */
export function Snippet({ widget: { public_key, look } }: { widget: Widget }) {
  const { t } = useTranslation()
  const attributes = [
    `src="${location.origin}/widget.js"`,
    `data-key="${public_key}"`,
    `data-color="${look.color}"`,
    `data-position="${look.position}"`,
    ...(look.launcher ? [`data-label="${escaped(look.launcher)}"`] : []),
  ]
  return (
    <Section title={t('widgets.snippet')} lead={t('widgets.snippetLead')}>
      <CopyText label={t('widgets.line')} value={`<script ${attributes.join(' ')} async></script>`} />
    </Section>
  )
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
}
