/** Limits an `error_description` to printable ASCII without quotation mark and backslash (RFC 6749 §5.2). */
export function wireDescription(text: string): string {
  return text.replaceAll('"', "'").replaceAll(/[^\x20-\x7e]|\\/g, '?')
}
