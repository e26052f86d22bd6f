import type { MenuItemConstructorOptions } from 'electron'

type Template = readonly MenuItemConstructorOptions[]

/** Mnemonic of a label: a letter after a single ampersand. */
const mnemonic = /(?<!&)(?:&&)*&([^&])/

/**
 * Gives every menu item a mnemonic, which Windows and Linux underline: the first letter of a word that no other item of
 * the menu has, else any free letter. A label may have its own.
 */
export function withMnemonics(template: Template): MenuItemConstructorOptions[] {
  const used = new Set(
    template.flatMap(({ label = '' }) => mnemonic.exec(label)?.[1]?.toLowerCase() ?? []),
  )
  return template.map((item) => {
    const { label, submenu } = item
    return {
      ...item,
      ...(label === undefined ? {} : { label: marked(label, used) }),
      ...(Array.isArray(submenu) ? { submenu: withMnemonics(submenu) } : {}),
    }
  })
}

function marked(label: string, used: Set<string>): string {
  if (mnemonic.test(label)) return label
  const places = [...label.matchAll(/\b[\p{L}\p{N}]/gu), ...label.matchAll(/[\p{L}\p{N}]/gu)]
  const place = places.find(([letter]) => !used.has(letter.toLowerCase()))
  if (place === undefined) return label
  used.add(place[0].toLowerCase())
  return `${label.slice(0, place.index)}&${label.slice(place.index)}`
}
