export function redactContent(v: unknown, f: (t: string) => string): unknown { return typeof v === 'string' ? f(v) : v }
