import type { Kysely } from 'kysely'
import type { Admission } from '../http/member.ts'
import type { Tables } from '../storage/tables.ts'
import { selectWidgets } from './store.ts'
import type { WidgetRow } from './tables.ts'

type VisitorAdmission = Extract<Admission, { kind: 'visitor' }>

/** Reads who may still listen of the visitors that were let in. */
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

/** Whether a widget still takes a visitor as it was known. @param visitor null as its version: it was not verified */
export function isVouchedFor(
  { identity, secret_version }: Pick<WidgetRow, 'identity' | 'secret_version'>,
  { secretVersion }: Pick<VisitorAdmission, 'secretVersion'>,
): boolean {
  if (secretVersion === null) return identity !== 'required'
  return identity !== 'off' && secretVersion === secret_version
}
