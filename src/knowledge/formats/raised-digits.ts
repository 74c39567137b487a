/** Writes the digits of a text as raised ones, so that behind a number they stay apart from it. */
export function raiseDigits(text: string): string {
  return text.replace(/[\d-]/g, (sign) => (sign === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'.charAt(Number(sign))))
}
