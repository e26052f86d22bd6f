/** Renders attributes of an XML element, with a blank before each. */
export function xmlAttributes(values: Readonly<Record<string, string | number>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('')
}

/** Shortens between characters, and adds an ellipsis. */
export function cut(text: string, longest: number): string {
  if (text.length <= longest) return text
  return `${text.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '')}…`
}

const entities: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  // Readers replace these by blanks within an attribute.
  ['\t', '&#9;'],
  ['\n', '&#10;'],
  ['\r', '&#13;'],
])

/**
 * Escapes text and attribute values. Replaces characters that XML does not allow, even escaped (XML 1.0 §2.2), and other
 * control and bidi characters, which would act in a terminal or reorder a page.
 */
export function escapeXml(text: string): string {
  return text
    .replaceAll(/[\u007F-\u009F\u2028\u2029]|\p{Bidi_Control}/gu, '\uFFFD')
    .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\uFFFD')
    .replaceAll(/[&<>"\t\n\r]/g, (character) => entities.get(character) ?? '')
}
