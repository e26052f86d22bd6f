// Controls, halves of characters, and what turns the direction of writing around: in a drawing neither has a meaning, and most of them
// must not stand in XML at all.
const unprintable =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u001F\u007F-\u009F\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\uFEFF\uFFFE\uFFFF\p{Surrogate}]/gu

/** Makes a text one line that can be drawn and written into XML. */
export function plainText(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').replaceAll(unprintable, '\uFFFD').trim()
}
