import type { LinkProps } from '@tanstack/react-router'
import { Outlet, useMatchRoute } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { includes, useWho } from '../api/session.ts'
import type { OperatorRight } from '../api/types.ts'
import { Empty } from './Empty.tsx'
import { ShieldIcon } from './icons.tsx'

interface AllowedOutletProps {
  /** The pages that the address may name, and the right that each requires. */
  pages: readonly { to: NonNullable<LinkProps['to']>; right: OperatorRight }[]
}

/** Shows the page of the address. A page that requires a higher right is hidden: all its requests would be refused. */
export function AllowedOutlet({ pages }: AllowedOutletProps) {
  const { t } = useTranslation()
  const { operator } = useWho()
  const isAt = useMatchRoute()
  const refused = pages.find(({ to, right }) => !includes(operator.right, right) && isAt({ to, fuzzy: true }))
  if (!refused) return <Outlet />
  const right = t(`rights.${refused.right}`)
  return <Empty icon={ShieldIcon} title={t('refusedPage.title')} text={t('refusedPage.text', { right })} />
}
