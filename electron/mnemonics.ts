import type { MenuItemConstructorOptions } from 'electron'

type Template = readonly MenuItemConstructorOptions[]

/** Mnemonic of a label: a letter after a single ampersand. */
const mnemonic = /(?<!&)(?:&&)*&([^&])/

/**
 * Gives every menu item a mnemonic, which Windows and Linux underline: the first letter of a word that no other item of
 * the menu has, else any free letter. A label may have its own. Labels with few letters choose first, so that a long menu
 * has one for each.
 */
export function withMnemonics(template: Template): MenuItemConstructorOptions[] {
  const used = new Set(
    template.flatMap(({ label = '' }) => mnemonic.exec(label)?.[1]?.toLowerCase() ?? []),
  )
  const labels = new Map(
    template
      .flatMap(({ label }) => label ?? [])
      .toSorted((one, other) => lettersOf(one) - lettersOf(other))
      .map((label) => [label, marked(label, used)]),
  )
  return template.map((item) => {
    const { label, submenu } = item
    return {
      ...item,
      ...(label === undefined ? {} : { label: labels.get(label) ?? label }),
      ...(Array.isArray(submenu) ? { submenu: withMnemonics(submenu) } : {}),
    }
  })
}

function lettersOf(label: string): number {
  return new Set(label.toLowerCase().match(/[\p{L}\p{N}]/gu)).size
}

function marked(label: string, used: Set<string>): string {
  if (mnemonic.test(label)) return label
  const places = [...label.matchAll(/\b[\p{L}\p{N}]/gu), ...label.matchAll(/[\p{L}\p{N}]/gu)]
  const place = places.find(([letter]) => !used.has(letter.toLowerCase()))
  if (place === undefined) return label
  used.add(place[0].toLowerCase())
  return `${label.slice(0, place.index)}&${label.slice(place.index)}`
}
