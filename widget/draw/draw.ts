import type { Child, Drawn } from './jsx-runtime.ts'

/** A node in the page, and the description that it was drawn from. */
interface Shown {
  node: Element | Text
  from: Drawn | string
  children: Shown[]
}

const shownIn = new WeakMap<Element, Shown[]>()

/** Draws the described children into an element. Elements that stay keep their focus, selection and scroll position. */
export function draw(parent: Element, children: Child): void {
  const fresh: (() => void)[] = []
  shownIn.set(parent, drawInto(parent, shownIn.get(parent) ?? [], children, fresh))
  for (const begin of fresh) begin()
}

function drawInto(parent: Element, before: Shown[], children: Child, fresh: (() => void)[]): Shown[] {
  const left = [...before]
  const after = flat(children).map((from) => {
    const at = left.findIndex((shown) => isSame(shown.from, from))
    const [shown] = at < 0 ? [] : left.splice(at, 1)
    return update(shown ?? create(from, fresh), from, fresh)
  })
  for (const { node } of left) node.remove()
  let next = parent.firstChild
  for (const { node } of after) {
    if (node === next) next = next.nextSibling
    else parent.insertBefore(node, next)
  }
  return after
}

function flat(child: Child): (Drawn | string)[] {
  if (Array.isArray(child)) return child.flatMap(flat)
  if (child == null || typeof child === 'boolean' || child === '') return []
  return typeof child === 'object' ? [child as Drawn] : [String(child)]
}

function isSame(a: Drawn | string, b: Drawn | string): boolean {
  if (typeof a === 'string' || typeof b === 'string') return typeof a === typeof b
  return a.type === b.type && a.properties.key === b.properties.key
}

function create(from: Drawn | string, fresh: (() => void)[]): Shown {
  if (typeof from === 'string') return { node: new Text(), from: '', children: [] }
  const { type, properties } = from
  const isDrawing = type === 'svg' || type === 'path'
  const node = isDrawing
    ? document.createElementNS('http://www.w3.org/2000/svg', type)
    : document.createElement(type)
  const { ref } = properties
  if (typeof ref === 'function') fresh.push(() => ref(node))
  return { node, from: { type, properties: {} }, children: [] }
}

function update(shown: Shown, from: Drawn | string, fresh: (() => void)[]): Shown {
  const { node, from: old } = shown
  if (old === from) return shown
  if (typeof from === 'string' || typeof old === 'string') {
    node.textContent = String(from)
    return { node, from, children: [] }
  }
  const element = node as Element
  for (const name of Object.keys({ ...old.properties, ...from.properties }))
    if (old.properties[name] !== from.properties[name]) setProperty(element, name, from.properties[name])
  const children = drawInto(element, shown.children, from.properties.children as Child, fresh)
  return { node, from, children }
}

function setProperty(element: Element, name: string, value: unknown): void {
  if (name === 'children' || name === 'key' || name === 'ref') return
  if (name.startsWith('on')) Reflect.set(element, name.toLowerCase(), value)
  else if (name === 'checked') Reflect.set(element, name, value)
  else if (value == null || (value === false && !name.startsWith('aria'))) element.removeAttribute(name)
  else element.setAttribute(name, value === true && !name.startsWith('aria') ? '' : String(value))
}
