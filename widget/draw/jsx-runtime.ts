/** The description of an element that JSX in the panel makes; `draw` turns it into a real one. */
export interface Drawn {
  type: string
  properties: Record<string, unknown>
}

export type Child = Drawn | string | number | boolean | null | undefined | readonly Child[]

type Part<Properties> = (properties: Properties) => Child

/** Makes the description of an element. A part has no state of its own, so it is called at once. */
export function jsx<Properties extends object>(
  type: string | Part<Properties>,
  properties: Properties,
  key?: string | number,
): Child {
  if (typeof type === 'function') return type(properties)
  return { type, properties: { ...properties, key } }
}

export { jsx as jsxs }

export function Fragment({ children }: { children?: Child }): Child {
  return children
}

type Handler<Target, Happening> = (event: Happening & { readonly currentTarget: Target }) => void

interface Properties<Target> {
  children?: Child
  /** Tells elements of one list apart. */
  key?: string | number
  /** Called when the element is first put into the page. */
  ref?: ((element: Target) => void) | undefined
  class?: string | undefined
  dir?: 'auto' | 'ltr'
  hidden?: boolean
  id?: string
  role?: string
  tabIndex?: number
  title?: string | undefined
  onClick?: Handler<Target, MouseEvent>
  onChange?: Handler<Target, Event>
  onKeyDown?: Handler<Target, KeyboardEvent>
  onSubmit?: Handler<Target, SubmitEvent>
}

/** The attributes of an element that are also its properties. */
type Own<Target, Names extends keyof Target> = Partial<Pick<Target, Names>>

type Common = { [Name in keyof HTMLElementTagNameMap]: Properties<HTMLElementTagNameMap[Name]> }

export declare namespace JSX {
  type Element = Child
  type ElementType = keyof IntrinsicElements | ((properties: never) => Child)
  interface ElementChildrenAttribute {
    children: unknown
  }
  interface IntrinsicAttributes {
    key?: string | number
  }
  type IntrinsicElements = Common & {
    a: Own<HTMLAnchorElement, 'href' | 'target' | 'rel'>
    button: Own<HTMLButtonElement, 'type' | 'disabled'>
    input: Own<HTMLInputElement, 'type' | 'name' | 'checked' | 'accept' | 'multiple' | 'maxLength'> & {
      autocomplete?: 'email'
      capture?: 'environment' | null
    }
    form: Own<HTMLFormElement, 'noValidate'>
    ol: Own<HTMLOListElement, 'start'>
    progress: Own<HTMLProgressElement, 'max' | 'value'>
    textarea: Own<HTMLTextAreaElement, 'name' | 'rows' | 'maxLength'>
    svg: { viewBox: string; children?: Child }
    path: { d: string }
  }
}
