import { createHmac } from 'node:crypto'
import { ApiError } from '../../errors.ts'
import type { Admission } from '../../http/member.ts'
import { primaryOf } from '../../language/best-tag.ts'
import { DAY_MS } from '../../lib/clock.ts'
import type { VisitorPlace } from '../../transcripts/conversations/visitor-conversations.ts'
import { type Writer, writerOfWidget } from '../../users/writer.ts'
import { isVouchedFor } from '../admitted-visitors.ts'
import type { OpenedWidget } from '../find-widget.ts'
import { readVisitorToken, type VisitorClaims } from './visitor-token.ts'

/** A person who uses a widget. */
export interface Visitor extends VisitorPlace {
  readonly agentId: number
  readonly teamId: number
  /** The user of the visitor's conversations: the site's user, or the visitor itself. */
  readonly user: Writer
  readonly isVerified: boolean
  /** The site's name for the visitor. */
  readonly name: string | null
  readonly deviceId: string
  readonly sessionId: string
  readonly language: string | null
  readonly admission: Admission
}

/** Returns a keyed hash of a visitor, which names nobody. */
export function hashOfVisitor({ widgetId, userKey }: VisitorPlace, key: string): string {
  return createHmac('sha256', key)
    .update(JSON.stringify([widgetId, userKey]))
    .digest('base64url')
}

/** Returns the language of a visitor's conversation, without region and extensions. @param tag the visitor's own */
export function spokenIn(tag: string | null): string | null {
  return tag === null ? null : primaryOf(tag)
}

const TOKEN_LASTS_MS = 30 * DAY_MS

/**
 * Checks a token for a widget and returns its claims.
 * @throws ApiError invalid_visitor when it is forged, too old, of another widget, or of a user whose proof no longer
 * counts
 */
export function checkToken(token: string, { row }: OpenedWidget, key: string, nowMs: number): VisitorClaims {
  const claims = readVisitorToken(token, key)
  const isValid =
    claims !== null &&
    claims.widget === row.id &&
    claims.issued > nowMs - TOKEN_LASTS_MS &&
    (claims.user === null || isVouchedFor(row, { secretVersion: claims.user.version }))
  if (!isValid) throw new ApiError('invalid_visitor')
  return claims
}

/** Returns the visitor that a token stands for. @throws ApiError identity_required */
export function visitorOf(
  { widget: widgetId, user, ...claims }: VisitorClaims,
  widget: OpenedWidget,
): Visitor {
  if (user === null && widget.row.identity === 'required') throw new ApiError('identity_required')
  const writer = writerOfWidget(user?.id ?? claims.visitor, user?.name ?? null)
  const secretVersion = user?.version ?? null
  const expiresAt = claims.issued + TOKEN_LASTS_MS
  return {
    widgetId,
    agentId: widget.row.agent_id,
    teamId: widget.teamId,
    user: writer,
    userKey: writer.key,
    isVerified: user !== null,
    name: user?.name ?? null,
    deviceId: claims.visitor,
    sessionId: claims.session,
    language: claims.language,
    admission: { kind: 'visitor', widgetId, userId: writer.key, secretVersion, expiresAt },
  }
}
