import { useTranslation } from 'react-i18next'
import type { KnowledgeImport } from '../../../api/types.ts'
import { Mark, type MarkTone } from '../../../ui/Mark.tsx'

const tones: Record<KnowledgeImport['status'], MarkTone> = {
  queued: 'grey',
  running: 'grey',
  done: 'green',
  failed: 'red',
  removing: 'grey',
}

/** The progress of a site's crawl. */
export function SiteState({ site: { status, progress } }: { site: KnowledgeImport }) {
  const { t } = useTranslation()
  return (
    <Mark tone={tones[status]}>
      <span className="numbers">{t(`knowledge.sites.states.${status}`, progress)}</span>
    </Mark>
  )
}
