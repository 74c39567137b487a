// Loaded before a process starts, so that its clock is SKEW_MS milliseconds ahead of the machine's.
const RealDate = Date
const aheadMs = Number(process.env.SKEW_MS ?? 0)

globalThis.Date = class extends RealDate {
  constructor(...parts: unknown[]) {
    if (parts.length > 0) super(...(parts as [number]))
    else super(RealDate.now() + aheadMs)
  }

  static override now(): number {
    return RealDate.now() + aheadMs
  }
} as DateConstructor
