/** RFC 6749 §5.2: an `error_description` is printable ASCII without quotation mark and backslash. */
export function wireDescription(text: string): string {
  return text.replaceAll('"', "'").replaceAll(/[^\x20-\x7e]|\\/g, '?')
}
