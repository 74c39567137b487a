import { OutboundError, type TeamHttp } from '../../lib/outbound/outbound.ts'
import type { JsonObject } from '../../lib/untrusted-json.ts'
import { idFor } from '../meets.ts'
import { outboundFailure } from '../outbound-failure.ts'
import { RESULT_LIMIT } from '../run-tool.ts'
import type { HttpSettings } from '../schemas.ts'
import { type ToolHeaders, withoutSecrets } from '../secret-place.ts'
import { type CallContext, type Requirement, type Tool, ToolError } from '../tool.ts'
import { readBodyTemplate } from './body-template.ts'
import { ArgumentError, USER_ID, USER_NAMES, USER_SOURCE } from './placeholders.ts'
import { readUrlTemplate } from './url-template.ts'

interface HttpTool {
  name: string
  idempotent: boolean
  requires: Requirement
  restore: boolean
  settings: HttpSettings
  /** The headers. They belong to the origin of the address, which arguments cannot change. */
  sealed: ToolHeaders
}

/** A tool that is an HTTP endpoint. */
export function httpTool(
  http: TeamHttp,
  { name, idempotent, requires, restore, settings, sealed }: HttpTool,
): Tool {
  const { description, parameters, method } = settings
  const url = readUrlTemplate(settings.url)
  const body = settings.body === null || settings.body === undefined ? null : readBodyTemplate(settings.body)

  function valuesOf(args: JsonObject, { user }: CallContext): Map<string, unknown> {
    const values = new Map(Object.entries(args))
    // A model cannot fill these, even if it gives arguments of these names.
    for (const name of USER_NAMES) values.delete(name)
    if (requires === 'none' || user === null) return values
    return values.set(USER_ID, idFor(requires, user)).set(USER_SOURCE, user.source)
  }

  return {
    name,
    description,
    parameters,
    idempotent,
    requires,
    restore,
    async call(args, context) {
      const values = valuesOf(args, context)
      const target = fill(() => url.fill(values))
      const sent = body && fill(() => body.fill(values))
      try {
        const response = await http.request(target, {
          method,
          headers: {
            accept: 'application/json, text/*;q=0.9, */*;q=0.1',
            'user-agent': 'parley',
            ...(sent === null ? {} : { 'content-type': 'application/json' }),
            ...sealed,
          },
          ...(sent === null ? {} : { body: sent }),
          signal: context.signal,
          timeoutMs: context.timeoutMs,
          // A longer body is cut anyway.
          maxResponseBytes: 2 * RESULT_LIMIT,
          truncate: true,
          // A kept connection that is just being closed would leave the outcome unknown.
          freshConnection: !idempotent,
        })
        return present(response, sealed)
      } catch (error) {
        if (!(error instanceof OutboundError)) throw error
        throw outboundFailure(error)
      }
    },
  }
}

function present(
  { status, headers, body }: { status: number; headers: Record<string, unknown>; body: Buffer },
  sealed: ToolHeaders,
): string {
  const type = String(headers['content-type'] ?? '').toLowerCase()
  const isText = type === '' || /json|text|xml|javascript|form-urlencoded/.test(type)
  const said = isText ? withoutSecrets(body.toString(), sealed) : `[${body.length} bytes that are no text]`
  if (status >= 200 && status <= 299) return said
  throw new ToolError(`the tool answered with status ${status}. ${said}`.trim())
}

function fill<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof ArgumentError) throw new ToolError(`${error.message} The tool was not called.`)
    throw error
  }
}
