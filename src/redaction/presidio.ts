import type { Redactor } from './redactor.ts'
export function createPresidioRedactor(_o: { url: string; apiKey: string | null; language: string; threshold: number | null; entities: string[] | null; request: (t: string, c: object) => Promise<unknown> }): Redactor { return { redact: async (t) => t } }
