import { useTranslation } from 'react-i18next'
import { useAgent } from '../../../api/session.ts'
import { useList } from '../../../api/use-list.ts'
import { Empty } from '../../../ui/Empty.tsx'
import { HistoryIcon } from '../../../ui/icons.tsx'
import { Loaded } from '../../../ui/Loaded.tsx'
import { NextPage } from '../../../ui/NextPage.tsx'
import { Page } from '../../../ui/Page.tsx'
import { Rows } from '../../../ui/Rows.tsx'
import { VersionRow } from './VersionRow.tsx'

/** The versions of the agent's settings: who changed what and when, and how to restore them. */
export function VersionSettings() {
  const { t } = useTranslation()
  const { api, key } = useAgent()
  const versions = useList(key('versions'), api, '/agent/versions')
  return (
    <Page title={t('settings.areas.versions')} lead={t('settings.versions.lead')} narrow>
      <Loaded query={versions}>
        {({ items: [newest, ...others] }) =>
          newest === undefined ? (
            <Empty
              icon={HistoryIcon}
              title={t('settings.versions.empty')}
              text={t('settings.versions.emptyText')}
            />
          ) : (
            <Rows label={t('settings.areas.versions')}>
              {[newest, ...others].map((version, at) => (
                <VersionRow
                  key={version.number}
                  version={version}
                  newest={newest}
                  before={others[at]}
                  readOn={versions.hasNextPage ? () => void versions.fetchNextPage() : undefined}
                />
              ))}
            </Rows>
          )
        }
      </Loaded>
      <NextPage query={versions} />
    </Page>
  )
}
