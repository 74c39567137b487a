import { Refusal } from '../api/client.ts'
import { withoutParam } from './refusal-text.ts'

interface MarkedForm {
  getInputNode(path: string): HTMLElement | null
  setFieldError(path: string, error: string): void
}

/**
 * Marks the field at fault and moves there. Returns true if the form has such a field.
 * @param below the path in the form that holds the request's fields, with dots
 */
export function markField(form: MarkedForm, error: unknown, below = ''): boolean {
  if (!(error instanceof Refusal) || error.param === null) return false
  // A nested field counts as the form's field that contains it.
  const parts = [...(below ? below.split('.') : []), ...error.param.split('.')]
  for (let count = parts.length; count > 0; count--) {
    const path = parts.slice(0, count).join('.')
    const node = form.getInputNode(path)
    if (!node) continue
    form.setFieldError(path, withoutParam(error))
    node.focus()
    return true
  }
  return false
}
