import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Empty } from '../ui/Empty.tsx'
import { SearchIcon } from '../ui/icons.tsx'

/** What an address shows that has no page. */
export function MissingPage() {
  const { t } = useTranslation()
  return (
    <Empty
      icon={SearchIcon}
      title={t('missing.title')}
      text={t('missing.text')}
      action={
        <Button component={Link} to="/">
          {t('missing.home')}
        </Button>
      }
    />
  )
}
