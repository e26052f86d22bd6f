/** Makes foreign text safe for one line of a terminal: no control characters, escape sequences or bidi controls. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu, ' ')
}

/** Makes foreign text of several lines safe for a terminal. */
export function manyLines(text: string): string {
  return text.replaceAll(/[^\P{Cc}\n]+|[\p{Bidi_Control}\u2028\u2029]+/gu, ' ')
}

/** Escapes what JSON leaves: other control characters, line separators and bidi controls, which appear in strings only. */
export function escapeControls(json: string): string {
  return json.replaceAll(/[\u007f-\u009f\u2028\u2029]|\p{Bidi_Control}/gu, escapeCharacter)
}

/** Writes a character below U+10000 by its number, as JSON does. */
export function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
