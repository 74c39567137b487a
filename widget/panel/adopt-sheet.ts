/** Makes a style sheet, and returns the function that gives it to a chat, once. */
export function adopterOf(css: string): (root: ShadowRoot) => void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(css)
  return ({ adoptedStyleSheets }) => {
    if (!adoptedStyleSheets.includes(sheet)) adoptedStyleSheets.push(sheet)
  }
}
