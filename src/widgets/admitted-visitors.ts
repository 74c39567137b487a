import type { Kysely } from 'kysely'
import type { Admission } from '../http/member.ts'
import type { Tables } from '../storage/tables.ts'
import { selectWidgets } from './store.ts'
import type { WidgetRow } from './tables.ts'

type VisitorAdmission = Extract<Admission, { kind: 'visitor' }>

/** Reads which of the admitted visitors may still listen. */
export async function admittedVisitors(
  db: Kysely<Tables>,
  admissions: readonly VisitorAdmission[],
  nowMs: number,
): Promise<(admission: VisitorAdmission) => boolean> {
  const ids = new Set(admissions.map(({ widgetId }) => widgetId))
  const widgets = new Map((await selectWidgets(db, [...ids])).map((widget) => [widget.id, widget]))
  return (admission) => {
    const widget = widgets.get(admission.widgetId)
    return widget?.active === 1 && admission.expiresAt > nowMs && isVouchedFor(widget, admission)
  }
}

/**
 * True if a widget still accepts a visitor's proof of identity. @param visitor `secretVersion` is null for an
 * unverified one
 */
export function isVouchedFor(
  { identity, secret_version }: Pick<WidgetRow, 'identity' | 'secret_version'>,
  { secretVersion }: Pick<VisitorAdmission, 'secretVersion'>,
): boolean {
  if (secretVersion === null) return identity !== 'required'
  return identity !== 'off' && secretVersion === secret_version
}
