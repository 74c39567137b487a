/** A template of messages that a platform has approved. Such messages also reach people outside of the reply window. */
export interface Template {
  name: string
  /** Its language, as the platform writes it, such as `en_US`. */
  language: string
  category: string | null
  /** Its text, with `{{name}}` in place of each variable. */
  text: string
  /** The names of its variables, in the order in which the text has them. */
  variables: TemplateVariable[]
  /** The kind of the file that stands above its text; null: it has none. */
  file: TemplateFile | null
}

/** The kinds of files that stand above the texts of templates, as the platform's ways of sending files are named. */
export const templateFiles = ['image', 'video', 'document'] as const

export type TemplateFile = (typeof templateFiles)[number]

interface TemplateVariable {
  name: string
  /** The example with which it was approved; null: there is none. */
  example: string | null
}

/** A message that is to be sent as a template. */
export interface TemplateUse {
  name: string
  language: string
  /** The text for each variable, by its name. */
  variables: Record<string, string>
}

/** The fault of a variable of a template's use. */
interface WrongVariable {
  name: string
  why: string
}

/** Returns the first variable that is missing, not known, or not to be sent; null when all are right. */
export function wrongVariable(template: Template, given: TemplateUse['variables']): WrongVariable | null {
  const names = new Set(template.variables.map(({ name }) => name))
  for (const name of names) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    if (value === undefined || value.trim() === '') return { name, why: 'is missing' }
    if (/[\n\r\t]| {5}/.test(value))
      return { name, why: 'must not contain line breaks, tabs or more than four spaces in a row' }
  }
  const other = Object.keys(given).find((name) => !names.has(name))
  return other === undefined ? null : { name: other, why: 'is no variable of this template' }
}

/** Returns the text of a template as the person reads it. */
export function templateText({ text }: Template, variables: TemplateUse['variables']): string {
  return text.replace(VARIABLE, (written, name: string) =>
    Object.hasOwn(variables, name) ? (variables[name] ?? written) : written,
  )
}

/** A variable in a text. */
export const VARIABLE = /\{\{\s*([\w.]+)\s*\}\}/g
